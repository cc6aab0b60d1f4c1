/** The rows of a package's questions after two owners changed them at once. */
import { expect, it } from "vitest";
import type { Question } from "#app/model/catalogue.ts";
import { inPlace, mergedQuestions, questionValues } from "./question-rows.ts";

const question = (id: string, label: string, more: Partial<Question> = {}): Question => ({
  id,
  label,
  hint: "",
  kind: "text",
  choices: [],
  required: false,
  ...more,
});
const SCHOOL = question("s", "School");
const AGE = question("a", "Age", { kind: "choice", choices: ["16", "17"], required: true });

/** The form as it was opened, with what was typed. */
function formOf(questions: Question[], typed: Record<string, string>): FormData {
  const values = questionValues({ questions, version: 1 });
  const form = new FormData();
  const all = { ...values, shown: JSON.stringify(values), ...typed };
  for (const [name, value] of Object.entries(all)) if (value) form.set(name, value);
  return form;
}

const stale = (form: FormData, questions: Question[]) =>
  mergedQuestions(form, { questions, version: 2 }, true);

it("stay as typed with their version until they are stale", () => {
  const form = formOf([SCHOOL], { labelC: "City", choicesC: "a\r\nb", kindC: "choice" });
  const merged = mergedQuestions(form, { questions: [SCHOOL, AGE], version: 2 }, false);
  expect(merged.values).toMatchObject({ version: "1", labelA: "School", labelB: "" });
  expect(merged.values).toMatchObject({ labelC: "City", choicesC: "a\nb", kindC: "choice" });
  expect(merged.saved).toBeNull();
});

it("are those that are saved, each with what was typed over it, then the new ones", () => {
  const form = formOf([SCHOOL], { labelA: "Your school", hintA: "Or college", labelB: "City" });
  const corrected = { ...SCHOOL, label: "Which school?", required: true };
  const { values, saved } = stale(form, [AGE, corrected]);
  expect(values).toMatchObject({ version: "2", idA: "a", labelA: "Age", choicesA: "16\n17" });
  expect(values).toMatchObject({ idB: "s", labelB: "Your school", hintB: "Or college" });
  expect(values).toMatchObject({ requiredB: "on", idC: "", labelC: "City", labelD: "" });
  expect(saved).toMatchObject({ labelA: "Age", labelB: "Which school?", labelC: "", kindC: "" });
});

it("keep whole what was changed here and removed there, and nothing that was left alone", () => {
  const { values } = stale(formOf([AGE, SCHOOL], { labelA: "Your age" }), []);
  expect(values).toMatchObject({ idA: "a", labelA: "Your age", choicesA: "16\n17", labelB: "" });
});

it("are all shown, though they are more than may be saved", () => {
  const rows = [..."ABCDEFGH"].map((row) => [`label${row}`, `Question ${row}`]);
  const { values } = stale(formOf([], Object.fromEntries(rows)), [SCHOOL]);
  expect(values).toMatchObject({ labelA: "School", labelB: "Question A", labelI: "Question H" });
});

it("are not doubled by a form that is sent again after it was saved", () => {
  const { values } = stale(formOf([], { labelA: "School" }), [SCHOOL]);
  expect(values).toMatchObject({ idA: "s", labelA: "School", labelB: "" });
});

it("have their places in the list by their words, the others after them", () => {
  const places = inPlace({ labelA: " ", labelB: "One", labelD: "Two" });
  expect(places.slice(0, 4)).toEqual(["B", "D", "A", "C"]);
  expect(new Set(places).size).toBe(places.length);
});
