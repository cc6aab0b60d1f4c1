/** The questions to a package's customers before the session. */
import { data, href } from "react-router";
import { changePackage } from "#app/catalogue/change-offer.server.ts";
import { questionsFormSchema } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import {
  FieldError,
  SelectField,
  sentAs,
  TextAreaField,
  TextField,
} from "#app/components/field.tsx";
import type { Question, SessionPackage } from "#app/model/catalogue.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  type Of,
  PageForm,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { Choice, Part } from "#app/routes/admin/parts/form-parts.tsx";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/questions";
import { CATALOGUE } from "./captain-parts.tsx";

/** A letter for each row, as field names may have only letters. */
const ROWS = [..."ABCDEFGH"];
const PARTS = ["id", "label", "hint", "kind", "choices", "required"] as const;

const page = screen({
  find: ({ deps, params }: Asked<Route.LoaderArgs>): SessionPackage => {
    const { packages } = readCatalogue(deps.db);
    const found = packages.find(({ minutes }) => String(minutes) === params.minutes);
    if (!found) throw data(null, { status: 404 });
    return found;
  },
  view: ({ about: { minutes, version, questions } }) => ({ minutes, version, questions }),
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

export const loader = page.loader;
export const action = page.action;

/** Renames the fields of rows with a label to those of the schema's list. */
function withQuestions(form: FormData): FormData {
  for (const [i, row] of ROWS.entries()) {
    if (String(form.get(`label${row}`) ?? "").trim() === "") continue;
    for (const part of PARTS) {
      const value = form.get(part + row);
      if (value) form.set(`questions[${i}].${part}`, value);
    }
  }
  return form;
}

export default function Questions(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { minutes, version, questions } = page.view;
  return (
    <>
      <PageHead title={`Questions before ${minutes} minutes`} above={CATALOGUE}>
        Asked on the booking’s page once it is paid, and in the reminder of the day before while
        there is no answer. The captain reads the answers. Please ask for no medical papers.
      </PageHead>
      <Problem refusal={page.refusal} />
      <PageForm id="questions" reply={page.replyTo()} sends={{ version }} className="grid gap-4">
        {(of) => (
          <>
            <FieldError id={of("questions").field.errorId} errors={of("questions").field.errors} />
            {ROWS.map((row, i) => (
              <Row
                key={row}
                of={of}
                place={i}
                row={row}
                question={questions[i]}
                sent={page.typed}
              />
            ))}
            <SubmitButton className="justify-self-start">Save Questions</SubmitButton>
          </>
        )}
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
  of: Of;
  place: number;
  row: string;
  question: SessionPackage["questions"][number] | undefined;
  /** The submitted values; empty if nothing was submitted. */
  sent: Readonly<Partial<Record<string, string>>>;
}

function Row({ of, place, row, question, sent }: RowProps) {
  const isSent = sent.version !== undefined;
  const given = (part: (typeof PARTS)[number], saved: string) => ({
    field: sentAs(of(`questions[${place}].${part}`).field, part + row),
    shown: isSent ? (sent[part + row] ?? "") : saved,
  });
  const kind = given("kind", question?.kind ?? "text");
  const needed = given("required", question?.required ? "on" : "");
  const { shown: id } = given("id", question?.id ?? "");
  return (
    <Part title={`Question ${place + 1}`} text="Without words it is not asked.">
      <input type="hidden" name={`id${row}`} value={id} />
      <div className="grid gap-4 lg:grid-cols-2">
        <TextField
          {...given("label", question?.label ?? "")}
          label="Words"
          maxLength={200}
          autoComplete="off"
        />
        <TextField
          {...given("hint", question?.hint ?? "")}
          label="Hint"
          maxLength={200}
          autoComplete="off"
        />
        <SelectField
          field={kind.field}
          label="Answered"
          options={KIND_OPTIONS}
          defaultValue={kind.shown}
        />
        <TextAreaField
          {...given("choices", question?.choices.join("\n") ?? "")}
          label="Choices"
          hint="Two to ten, one a line; only for a choice."
          maxLength={900}
        />
      </div>
      <Choice
        key={needed.shown}
        type="checkbox"
        name={`required${row}`}
        defaultChecked={needed.shown !== ""}
      >
        An answer is needed
      </Choice>
    </Part>
  );
}
