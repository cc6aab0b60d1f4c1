/** Whom a session is for: the same fields in the visitor's form and in that of staff. */
import { type Field, FieldError, TextField } from "./field.tsx";

type StudentField = "forWhom" | "studentName" | "underEighteen" | "relation";

interface StudentFieldsProps {
  /** A field, and the value to show if its form was submitted before. */
  of: (name: StudentField) => { field: Field; shown?: string | undefined };
  legend: string;
  /** Labels of the two choices: the person who books, or somebody else. */
  words: readonly [me: string, other: string];
  /** The hint of "under 18". */
  guardian: string;
}

/** The fields of both choices are in the page; CSS hides those of the choice not made. */
export function StudentFields({ of, legend, words, guardian }: StudentFieldsProps) {
  const given = (name: StudentField) => of(name).shown ?? of(name).field.initialValue;
  const isOther = given("forWhom") === "other";
  const { field: under18 } = of("underEighteen");
  const hintId = `${under18.id}-hint`;
  return (
    <fieldset className="group/who grid gap-4">
      <legend className="mb-1 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-x-6">
        {(["me", "other"] as const).map((value, i) => (
          <label key={value} className="flex min-h-11 items-center gap-2">
            <input
              type="radio"
              name="forWhom"
              value={value}
              defaultChecked={isOther === (value === "other")}
              className="size-5 shrink-0 accent-action"
            />
            {words[i]}
          </label>
        ))}
      </div>
      <FieldError id={of("forWhom").field.errorId} errors={of("forWhom").field.errors} />
      <div className="grid gap-4 group-has-[input[value=me]:checked]/who:hidden">
        <TextField
          {...of("studentName")}
          label="Student’s name"
          autoComplete="off"
          maxLength={100}
          autoFocus={false}
        />
        <div>
          <label className="flex min-h-11 items-center gap-2">
            <input
              type="checkbox"
              id={under18.id}
              name="underEighteen"
              defaultChecked={given("underEighteen") !== undefined && given("underEighteen") !== ""}
              aria-describedby={hintId}
              className="size-5 shrink-0 accent-action"
            />
            The student is under 18
          </label>
          <p id={hintId} className="text-sm text-muted">
            {guardian}
          </p>
        </div>
        <TextField
          {...of("relation")}
          label="Relation to the student"
          hint="For example mother or guardian. Needed if the student is under 18."
          autoComplete="off"
          maxLength={50}
          autoFocus={false}
        />
      </div>
    </fieldset>
  );
}
