/** The rows of the form of a package's questions, also after another owner has saved meanwhile. */
import type { Question, SessionPackage } from "#app/model/catalogue.ts";
import { withLineFeeds } from "#app/model/text-blocks.ts";
import { type Merged, shownOf, type Values } from "#app/routes/admin/parts/form-data.ts";

/** A letter for each row, as field names may have only letters; what two owners typed fits in. */
export const ROWS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Shown also if they are empty. */
const LEAST_ROWS = 8;

export const PARTS = ["id", "label", "hint", "kind", "choices", "required"] as const;

type Row = Readonly<Record<(typeof PARTS)[number], string>>;

const EMPTY: Row = { id: "", label: "", hint: "", kind: "text", choices: "", required: "" };

const NOT_SAVED: Row = { ...EMPTY, kind: "" };

type Saved = Pick<SessionPackage, "questions" | "version">;

/** What the form holds before anything is typed. */
export function questionValues({ questions, version }: Saved): Values {
  return valuesOf(questions.map(rowOf), String(version));
}

/**
 * What the refused form holds. If it was `stale`, all that is saved comes first, each question with
 * what was typed over it, then what was typed besides.
 */
export function mergedQuestions(form: FormData, saved: Saved, isStale: boolean): Merged<Values> {
  const sent = Object.fromEntries(
    [...form].map(([name, text]) => [name, withLineFeeds(String(text))]),
  );
  const typed = rowsIn(sent);
  const shown = shownOf<Record<string, string>>(form);
  const version = String(saved.version);
  if (!isStale) return { values: valuesOf(typed, sent.version ?? version), shown, saved: null };
  const before = new Map(rowsIn(shown).map((row) => [row.id, row]));
  const now = saved.questions.map(rowOf);
  const merged = now.map((row) => {
    const own = typed.find(({ id }) => id === row.id);
    return own ? mergedRow(own, before.get(row.id) ?? row, row) : row;
  });
  const isSaved = (own: Row) =>
    now.some((row) => row.id === own.id || isSame({ ...own, id: row.id }, row));
  const isTyped = (own: Row) => !isSame(own, before.get(own.id) ?? EMPTY);
  const besides = typed.filter((own) => isTyped(own) && !isSaved(own));
  const savedNow = valuesOf([...now, ...besides.map(() => NOT_SAVED)], version);
  return { values: valuesOf([...merged, ...besides], version), shown: savedNow, saved: savedNow };
}

/** Rows with words first: their places are those in the schema's list. */
export function inPlace(values: Readonly<Record<string, string>>): string[] {
  const isAsked = (row: string) => (values[`label${row}`] ?? "").trim() !== "";
  return [...ROWS.filter(isAsked), ...ROWS.filter((row) => !isAsked(row))];
}

function rowOf({ choices, required, ...question }: Question): Row {
  return { ...question, choices: choices.join("\n"), required: required ? "on" : "" };
}

/** Untouched parts take the saved ones: another owner may have corrected them. */
function mergedRow(own: Row, before: Row, saved: Row): Row {
  const changed = PARTS.filter((part) => own[part] !== before[part]);
  return { ...saved, ...Object.fromEntries(changed.map((part) => [part, own[part]])) };
}

function isSame(one: Row, other: Row): boolean {
  return PARTS.every((part) => one[part] === other[part]);
}

/** By letter; those behind the last that holds anything are left out. */
function rowsIn(values: Readonly<Partial<Record<string, string>>>): Row[] {
  const rows = ROWS.map((row) => {
    const given = PARTS.filter((part) => values[part + row]);
    return { ...EMPTY, ...Object.fromEntries(given.map((part) => [part, values[part + row]])) };
  });
  return rows.slice(0, rows.findLastIndex((row) => !isSame(row, EMPTY)) + 1);
}

function valuesOf(rows: readonly Row[], version: string): Values {
  const count = Math.max(LEAST_ROWS, rows.length);
  const fields = ROWS.slice(0, count).flatMap((letter, i) =>
    PARTS.map((part) => [part + letter, (rows[i] ?? EMPTY)[part]]),
  );
  return { ...Object.fromEntries(fields), version };
}
