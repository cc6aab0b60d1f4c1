/** Insights by session date: what changed, this month beside the last, plots with tables. */
import { data, Form, href, Link, useNavigation } from "react-router";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { askedField, SelectField, TextField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { insightsSchema, usualRanges } from "#app/insights/ranges.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { check } from "#app/model/fields.ts";
import { type FieldErrors, success } from "#app/model/outcome.ts";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { useFilledForm } from "#app/routes/admin/parts/list-parts.tsx";
import { Notice, PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/insights";
import stylesheet from "./insights.css?url";
import { insightsView, rangeWords } from "./insights-view.server.ts";
import { FigureCard, Numbers } from "./plot.tsx";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** Without dates in the address, shows the last twelve months. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(depsContext);
  const { counselors } = readCatalogue(db);
  const today = dateInIndia(now());
  const ranges = usualRanges(today);
  const usual = ranges.find(({ label }) => label === "Last 12 months")!;
  const given = Object.fromEntries(url.searchParams);
  const isAsked = "from" in given || "to" in given;
  const filled = isAsked ? given : { ...given, from: usual.from, to: usual.to };
  const query = check(insightsSchema, filled);
  const chosen = given.counselor?.trim()
    ? counselorNamed({ counselors }, given.counselor)
    : success(null);
  const counselor = chosen.ok ? (chosen.value?.name ?? "") : "";
  const form = {
    from: filled.from ?? "",
    to: filled.to ?? "",
    counselor,
    counselors: counselors.map(({ name }) => name),
    ranges: ranges.map(({ label, from, to }) => {
      const search = new URLSearchParams({ from, to, ...(counselor && { counselor }) });
      return { label, search: search.toString() };
    }),
  };
  const errors: FieldErrors = { ...(!query.ok && query.errors), ...(!chosen.ok && chosen.errors) };
  if (!query.ok || !chosen.ok) return data({ form, errors, shown: null }, { status: 400 });
  const asked = { ...query.value, counselor: chosen.value, all: counselors };
  const title = `${rangeWords(asked)}${counselor ? `, ${counselor}` : ""}`;
  return data({ form, errors, shown: { title, ...(await insightsView(db, asked, today)) } });
}

export default function Insights({ loaderData }: Route.ComponentProps) {
  const { form, errors, shown } = loaderData;
  return (
    <>
      <PageHead title="Insights">
        By the date of the session, over appointments that exist, as the list counts. Refunds count
        from when they are wanted.
      </PageHead>
      <RangeForm form={form} errors={errors} />
      {shown === null ? (
        <Notice
          title="This range cannot be shown"
          description={`${Object.values(errors)[0]?.[0]}. Please correct it above, or take one of the usual ranges.`}
          variant="destructive"
        />
      ) : (
        <>
          <section aria-labelledby="range" className="mb-4">
            <h2 id="range" className="display text-xl">
              {shown.title}
            </h2>
            <p className="max-w-text">{shown.changes}</p>
          </section>
          <Part id="months" title="This month and last month" className="mb-4 p-4">
            <Numbers table={shown.months} />
          </Part>
          {shown.figures.map((figure) => (
            <FigureCard key={figure.id} figure={figure} />
          ))}
        </>
      )}
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function RangeForm({ form, errors }: Pick<Loaded, "form" | "errors">) {
  const { from, to, counselor } = form;
  const loading = useNavigation().location?.pathname === href("/admin/insights");
  const filled = { from, to, counselor };
  const { form: element, ask } = useFilledForm(new URLSearchParams(filled).toString(), filled);
  const field = (name: "from" | "to" | "counselor") => {
    return { ...askedField(name, filled[name]), errors: errors[name] };
  };
  return (
    <Form
      ref={element}
      className="no-print card narrow-input mb-4 p-4"
      onSubmit={(event) => {
        const given = new FormData(event.currentTarget) as unknown as Iterable<[string, string]>;
        ask(new URLSearchParams([...given]).toString());
      }}
    >
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[minmax(0,10rem)_minmax(0,10rem)_minmax(0,16rem)_auto]">
        <TextField field={field("from")} label="From" type="date" required />
        <TextField field={field("to")} label="To" type="date" required />
        <SelectField
          field={field("counselor")}
          label="Counselor"
          options={[
            ["", "All Counselors"],
            ...form.counselors.map((name) => [name, name] as const),
          ]}
          className="max-md:col-span-2"
        />
        <button
          type="submit"
          aria-busy={loading || undefined}
          className="button button-primary max-md:col-span-2 md:mt-7 md:justify-self-start"
        >
          Show
        </button>
      </div>
      <nav aria-label="Usual ranges" className="mt-2 flex flex-wrap gap-x-4">
        {form.ranges.map(({ label, search }) => (
          <Link
            key={label}
            to={`${href("/admin/insights")}?${search}`}
            preventScrollReset
            className="link inline-flex min-h-11 items-center"
          >
            {label}
          </Link>
        ))}
      </nav>
    </Form>
  );
}
