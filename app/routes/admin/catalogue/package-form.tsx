/** One package: price, words, and whether it is on the page. */
import { getFormProps } from "@conform-to/react";
import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { SelectField, TextField } from "#app/components/field.tsx";
import { priceWords } from "#app/model/money.ts";
import { priceOf } from "#app/model/price.ts";
import { Part, Press } from "#app/routes/admin/parts/part.tsx";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/use-answered-form.ts";
import type { CatalogueView } from "./catalogue-view.server.ts";

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
        <Press intent="package">
          Save <span className="sr-only">{minutes} minutes</span>
        </Press>
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
