/** The questions to a package's customers before the session. */
import { href } from "react-router";
import { changePackage } from "#app/catalogue/change-catalogue.server.ts";
import { questionsFormSchema } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { SelectField, TextAreaField, TextField } from "#app/components/field.tsx";
import { found } from "#app/http/found.ts";
import type { Question, SessionPackage } from "#app/model/catalogue.ts";
import { ErrorOf, useFieldOf } from "#app/routes/admin/parts/fields.tsx";
import type { Values } from "#app/routes/admin/parts/form-data.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  concurrentEdit,
  PageForm,
  Saved,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { Choice, Part } from "#app/routes/admin/parts/form-parts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/questions";
import { CATALOGUE } from "./captain-parts.tsx";
import { inPlace, mergedQuestions, PARTS, questionValues, ROWS } from "./question-rows.ts";

const { loader, action } = screen({
  find: ({ deps, params }: Asked<Route.LoaderArgs>): SessionPackage => {
    const { packages } = readCatalogue(deps.db);
    return found(packages.find(({ minutes }) => String(minutes) === params.minutes));
  },
  view: ({ about, form, refused }) => ({
    minutes: about.minutes,
    values: questionValues(about),
    merged: form && refused ? mergedQuestions(form, about, refused.code === "stale") : null,
  }),
}).one({
  fields: questionsFormSchema,
  rename: withQuestions,
  run: (input, { deps, actor, about }) => changePackage(deps, actor, about.minutes, input),
  failed: "Questions Not Saved",
  done: ({ minutes, questions }) => ({
    to: href("/admin/catalogue"),
    title: "Questions Saved",
    description:
      questions.length === 0
        ? `Nothing is asked before ${minutes} minutes.`
        : `Whoever has paid for ${minutes} minutes is asked on the booking’s page.`,
  }),
});

export { action, loader };

/** Renames the fields of rows with a label to those of the schema's list. */
function withQuestions(form: FormData): FormData {
  const isAsked = (row: string) => String(form.get(`label${row}`) ?? "").trim() !== "";
  for (const [i, row] of ROWS.filter(isAsked).entries()) {
    for (const part of PARTS) {
      const value = form.get(part + row);
      if (value) form.set(`questions[${i}].${part}`, value);
    }
  }
  return form;
}

export default function Questions(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { minutes, values, merged } = page.view;
  const edit = concurrentEdit(merged, values);
  const places = inPlace(edit.values);
  return (
    <>
      <PageHead title={`Questions before ${minutes} minutes`} above={CATALOGUE}>
        Asked on the booking’s page once it is paid, and in the reminder of the day before while
        there is no answer. The captain reads the answers. Please ask for no medical papers.
      </PageHead>
      <Problem refusal={page.refusal} />
      <PageForm
        key={edit.values.version}
        id="questions"
        reply={page.replyTo()}
        edit={edit}
        className="grid gap-4"
      >
        <ErrorOf name="questions" />
        {ROWS.filter((row) => `label${row}` in edit.values).map((row, i) => (
          <Row
            key={row}
            title={`Question ${i + 1}`}
            place={places.indexOf(row)}
            row={row}
            saved={merged?.saved ?? null}
          />
        ))}
        <SubmitButton className="justify-self-start">Save Questions</SubmitButton>
      </PageForm>
    </>
  );
}

const KIND_OPTIONS = [
  ["text", "In words"],
  ["choice", "By a choice"],
  ["number", "With a number"],
] as const satisfies [Question["kind"], string][];

interface RowProps {
  title: string;
  /** In the list that is saved. */
  place: number;
  row: string;
  /** What another owner saved meanwhile. */
  saved: Values | null;
}

function Row({ title, place, row, saved }: RowProps) {
  const of = useFieldOf();
  const given = (part: (typeof PARTS)[number]) => of(part + row, `questions[${place}].${part}`);
  const kind = given("kind");
  const needed = given("required");
  const savedKind = KIND_OPTIONS.find(([code]) => code === saved?.[`kind${row}`]);
  return (
    <Part title={title} text="Without words it is not asked.">
      <input type="hidden" name={`id${row}`} value={given("id").shown} />
      <div className="grid gap-4 lg:grid-cols-2">
        <TextField {...given("label")} label="Words" maxLength={200} autoComplete="off" />
        <TextField {...given("hint")} label="Hint" maxLength={200} autoComplete="off" />
        <SelectField
          field={kind.field}
          label="Answered"
          hint={kind.hint && <Saved text={savedKind?.[1]} />}
          options={KIND_OPTIONS}
          defaultValue={kind.shown}
        />
        <TextAreaField
          hint="Two to ten, one a line; only for a choice."
          {...given("choices")}
          label="Choices"
          maxLength={900}
        />
      </div>
      <Choice
        key={needed.shown}
        type="checkbox"
        name={`required${row}`}
        defaultChecked={needed.shown === "on"}
      >
        An answer is needed
      </Choice>
      {needed.hint && (
        <p className="text-sm text-muted">
          <Saved text={needed.shown ? "not needed" : "needed"} />
        </p>
      )}
    </Part>
  );
}
