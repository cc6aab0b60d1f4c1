/** The parts of the catalogue page: captains, packages, default times, links. */
import { useState } from "react";
import { href, Link } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { priceOf, priceWords } from "#app/model/money.ts";
import { ErrorOf, LineField, OptionsField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { type ConcurrentEdit, PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
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
            <ButtonForm
              sends={{ intent: "order", key: captain.key }}
              className="flex items-center gap-2"
            >
              {(
                [
                  ["Up", -1, captain.position === 0],
                  ["Down", 1, captain.isLast],
                ] as const
              ).map(([word, by, off]) => (
                <button
                  key={word}
                  type="submit"
                  name="position"
                  value={captain.position + by}
                  disabled={off}
                  aria-label={`${word}: ${captain.name}`}
                  className="button button-quiet button-small"
                >
                  {word}
                </button>
              ))}
            </ButtonForm>
          </li>
        ))}
      </ul>
      <Link to={href("/admin/catalogue/new")} className="button button-primary mt-4">
        Add a Captain
      </Link>
    </Part>
  );
}

interface PartProps {
  view: CatalogueView;
  reply: Reply | null;
}

export function TimesPart({ view, reply }: PartProps) {
  return (
    <Part
      id="times-title"
      title="Default times"
      text="Start times, IST, of every day for which nothing else is set."
    >
      <PageForm
        id="default-times"
        reply={reply}
        sends={{ version: view.version }}
        preventScrollReset
        className="grid gap-4"
      >
        <TimeChoices
          legend="Times of a day"
          type="checkbox"
          name="timeSlots"
          times={view.times}
          errors={reply?.error?.timeSlots}
        />
        <SubmitButton intent="times" className="justify-self-start">
          Save Default Times
        </SubmitButton>
      </PageForm>
    </Part>
  );
}

/** The existing links, and empty rows for more. */
export function LinksPart({ view: { links, linkRows, version }, reply }: PartProps) {
  const typed = reply?.initialValue?.links as CatalogueView["links"] | undefined;
  return (
    <Part
      id="links-title"
      title="Links"
      text="To a course, a webinar, a book: at the foot of the booking page. A row left empty is none."
    >
      <PageForm
        id="links"
        reply={reply}
        sends={{ version: String(reply?.initialValue?.version ?? version) }}
        preventScrollReset
        className="grid gap-4"
      >
        <ErrorOf name="links" />
        {linkRows.map((row, i) => (
          <div key={row} className="grid gap-3 sm:grid-cols-2">
            <LineField
              name="linkLabel"
              path={`${row}.label`}
              label={`Link ${i + 1}: words`}
              shown={(typed ?? links)[i]?.label ?? ""}
              maxLength={60}
            />
            <LineField
              name="linkUrl"
              path={`${row}.url`}
              label={`Link ${i + 1}: address`}
              shown={(typed ?? links)[i]?.url ?? ""}
              type="url"
              placeholder="https://"
              maxLength={500}
            />
          </div>
        ))}
        <SubmitButton intent="links" className="justify-self-start">
          Save Links
        </SubmitButton>
      </PageForm>
    </Part>
  );
}

interface PackageFormProps {
  minutes: number;
  /** The number of questions before the session. */
  questions: number;
  edit: ConcurrentEdit<CatalogueView["packages"][number]["values"]>;
  reply: Reply | null;
}

const ACTIVE = [
  ["true", "On the page"],
  ["false", "Taken off the page"],
] as const;

export function PackageForm({ minutes, questions, edit, reply }: PackageFormProps) {
  const [price, setPrice] = useState(edit.values.price);
  return (
    <Part title={`${minutes} minutes`} text={totalWords(price)}>
      <PageForm
        id={`package-${minutes}`}
        reply={reply}
        edit={edit}
        sends={{ minutes }}
        className="grid gap-4"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <LineField
            name="price"
            label="Price in rupees, before GST"
            inputMode="numeric"
            onInput={(event) => setPrice(event.currentTarget.value)}
          />
          <OptionsField name="active" label="Shown" options={ACTIVE} />
        </div>
        <LineField name="label" label="Label" maxLength={60} />
        <LineField name="description" label="Description" maxLength={200} />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <SubmitButton intent="package">
            Save <span className="sr-only">{minutes} minutes</span>
          </SubmitButton>
          <Link
            to={href("/admin/catalogue/packages/:minutes/questions", {
              minutes: String(minutes),
            })}
            className="link py-1"
          >
            Questions before <span className="sr-only">{minutes} minutes</span> ({questions})
          </Link>
        </div>
      </PageForm>
    </Part>
  );
}

/** For a valid price, `₹999 + ₹180 GST = ₹1,179`. */
function totalWords(price: string): string {
  const rupees = Number(price);
  if (!Number.isInteger(rupees) || rupees < 1) return "A price in whole rupees";
  const { base, gst, total } = priceWords(priceOf(rupees));
  return `${base} + ${gst} GST = ${total}`;
}
