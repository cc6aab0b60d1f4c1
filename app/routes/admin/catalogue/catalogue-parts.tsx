/** The parts of the catalogue's page: captains, packages, default times, links. */

import { getFormProps } from "@conform-to/react";
import { type ReactNode, useState } from "react";
import { Form, href, Link } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { FieldError, SelectField, sentAs, TextField } from "#app/components/field.tsx";
import { priceWords } from "#app/model/money.ts";
import { priceOf } from "#app/model/price.ts";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { SubmitButton, useAnsweredForm } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { TimeChoices } from "#app/routes/admin/parts/time-choices.tsx";
import type { CatalogueView } from "./catalogue-view.server.ts";

export function CaptainsPart({ captains }: Pick<CatalogueView, "captains">) {
  return (
    <Part id="captains-title" title="Captains" text="In the order of the page.">
      <ul className="grid gap-2">
        {captains.map((captain) => (
          <li key={captain.key} className="flex flex-wrap gap-x-4 gap-y-2 rounded-sm bg-sunken p-3">
            <Portrait
              portrait={captain.portrait}
              alt=""
              size={56}
              className="size-14 shrink-0 rounded-full border border-line"
            />
            <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <Link
                to={href("/admin/catalogue/captains/:key", { key: captain.key })}
                className="link font-semibold"
              >
                {captain.name}
              </Link>
              <p className="text-sm text-muted">{captain.title}</p>
              <p className="text-sm">
                {captain.state}
                {captain.sample && ". Sample profile"}
              </p>
            </div>
            <Form method="post" className="flex items-center gap-2">
              <input type="hidden" name="intent" value="order" />
              <input type="hidden" name="key" value={captain.key} />
              <Move captain={captain} to={captain.position - 1} off={captain.position === 0}>
                Up
              </Move>
              <Move captain={captain} to={captain.position + 1} off={captain.isLast}>
                Down
              </Move>
            </Form>
          </li>
        ))}
      </ul>
      <Link to={href("/admin/catalogue/new")} className="button button-primary mt-4">
        Add a Captain
      </Link>
    </Part>
  );
}

interface MoveProps {
  captain: { name: string };
  to: number;
  off: boolean;
  children: string;
}

function Move({ captain, to, off, children }: MoveProps) {
  return (
    <button
      type="submit"
      name="position"
      value={to}
      disabled={off}
      aria-label={`${children}: ${captain.name}`}
      className="button button-quiet button-small"
    >
      {children}
    </button>
  );
}

interface PartProps {
  view: CatalogueView;
  reply: Reply | null | undefined;
}

export function TimesPart({ view, reply }: PartProps) {
  const [form, fields] = useAnsweredForm<"timeSlots">("default-times", reply);
  return (
    <Part
      id="times-title"
      title="Default times"
      text="Start times, IST, of every day for which nothing else is set."
    >
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={view.version} />
        <TimeChoices
          legend="Times of a day"
          type="checkbox"
          name="timeSlots"
          times={view.times}
          errors={fields.timeSlots.errors}
        />
        <SubmitButton intent="times" className="justify-self-start">
          Save Default Times
        </SubmitButton>
      </Form>
    </Part>
  );
}

/** Those there are, and room for more. */
export function LinksPart({ view: { links, linkRows, version }, reply }: PartProps) {
  const [form, fields] = useAnsweredForm<string>("links", reply);
  const typed = reply?.initialValue?.links as CatalogueView["links"] | undefined;
  return (
    <Part
      id="links-title"
      title="Links"
      text="To a course, a webinar, a book: at the foot of the booking page. A row left empty is none."
    >
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={version} />
        <FieldError id={fields.links!.errorId} errors={fields.links!.errors} />
        {linkRows.map((row, i) => (
          <div key={row} className="grid gap-3 sm:grid-cols-2">
            <TextField
              field={sentAs(fields[`${row}.label`]!, "linkLabel")}
              label={`Link ${i + 1}: words`}
              shown={(typed ?? links)[i]?.label ?? ""}
              maxLength={60}
              autoComplete="off"
            />
            <TextField
              field={sentAs(fields[`${row}.url`]!, "linkUrl")}
              label={`Link ${i + 1}: address`}
              shown={(typed ?? links)[i]?.url ?? ""}
              type="url"
              placeholder="https://"
              maxLength={500}
              autoComplete="off"
            />
          </div>
        ))}
        <SubmitButton intent="links" className="justify-self-start">
          Save Links
        </SubmitButton>
      </Form>
    </Part>
  );
}

export type PackageValues = CatalogueView["packages"][number]["values"];

interface PackageFormProps {
  minutes: number;
  values: PackageValues;
  /** What the form was filled with before anything was typed. */
  shown: Partial<PackageValues>;
  /** What another admin saved meanwhile. */
  saved: PackageValues | null;
  reply: Reply | null | undefined;
}

const ACTIVE = [
  ["true", "On the page"],
  ["false", "Taken off the page"],
] as const;

export function PackageForm({ minutes, values, shown, saved, reply }: PackageFormProps) {
  const [form, fields] = useAnsweredForm<keyof PackageValues>(`package-${minutes}`, reply);
  const [price, setPrice] = useState(values.price);
  const field = (name: keyof PackageValues, hint?: ReactNode) => ({
    field: fields[name],
    hint: saved && saved[name] !== values[name] ? `Saved at present: ${saved[name]}` : hint,
    shown: values[name],
    autoComplete: "off",
  });
  return (
    <Part title={`${minutes} minutes`} text={totalWords(price)}>
      <Form {...getFormProps(form)} method="post" className="grid gap-4">
        <input type="hidden" name="minutes" value={minutes} />
        <input type="hidden" name="version" value={values.version} />
        <input type="hidden" name="shown" value={JSON.stringify(shown)} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...field("price")}
            label="Price in rupees, before GST"
            inputMode="numeric"
            onInput={(event) => setPrice(event.currentTarget.value)}
          />
          <SelectField
            field={fields.active}
            label="Shown"
            options={ACTIVE}
            defaultValue={values.active}
          />
        </div>
        <TextField {...field("label")} label="Label" maxLength={60} />
        <TextField {...field("description")} label="Description" maxLength={200} />
        <SubmitButton intent="package" className="justify-self-start">
          Save <span className="sr-only">{minutes} minutes</span>
        </SubmitButton>
      </Form>
    </Part>
  );
}

/** `₹999 + ₹180 GST = ₹1,179`, for a price that can be one. */
function totalWords(price: string): string {
  const rupees = Number(price);
  if (!Number.isInteger(rupees) || rupees < 1) return "A price in whole rupees";
  const { base, gst, total } = priceWords(priceOf(rupees));
  return `${base} + ${gst} GST = ${total}`;
}
