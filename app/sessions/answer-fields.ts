/** Answers against the questions of a package, in the words that the page shows. */
import type { Answer, Question } from "#app/model/catalogue.ts";
import { type FieldErrors, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { textSchemaOf } from "#app/model/text.ts";

export const LONGEST_ANSWER = 1000;

const answerSchema = textSchemaOf("answer", LONGEST_ANSWER);

const LETTERS = "ABCDEFGH";

/** The form's name for the answer in a place: a form's names are of letters alone. */
export function answerField(place: number): string {
  return `answer${LETTERS.charAt(place)}`;
}

/** By the id of its question; a question that is not among them any more is left out. */
export type Given = ReadonlyMap<string, string>;

/** `asked` are the ids of the questions in the order in which the form had them. */
export function givenIn(form: FormData): Given {
  const asked = String(form.get("asked") ?? "").split(" ");
  return new Map(asked.map((id, place) => [id, String(form.get(answerField(place)) ?? "").trim()]));
}

/**
 * Those that were given, after them the saved ones whose question is no longer asked; a fault stands
 * under the name of its field. A choice that was saved before is taken also where the owner has changed
 * the choices since.
 */
export function checkAnswers(
  questions: readonly Question[],
  given: Given,
  saved: readonly Answer[] = [],
): Outcome<Answer[]> {
  const errors: FieldErrors = {};
  const answers = questions.flatMap((question, place) => {
    const { id, label } = question;
    const read = answerSchema.safeParse(given.get(id) ?? "");
    const isSaved = saved.some((one) => one.id === id && one.answer === read.data);
    const fault = read.success
      ? faultOf(question, read.data, isSaved)
      : read.error.issues[0]!.message;
    if (fault) errors[answerField(place)] = [fault];
    return read.data ? [{ id, label, answer: read.data }] : [];
  });
  const removed = saved.filter(({ id }) => !questions.some((question) => question.id === id));
  return Object.keys(errors).length > 0 ? invalid(errors) : success([...answers, ...removed]);
}

/** Also in rupees, in percent and in groups of thousands and lakhs: ₹45,00,000. */
const NUMBER = /^(₹|rs\.?|inr)?\s*-?\d{1,9}(,\d{2,3})*([.,]\d{1,4})?\s*(%|\/-)?$/i;

function faultOf(
  { kind, choices, required }: Question,
  answer: string,
  isSaved: boolean,
): string | null {
  if (answer === "") return required ? "Please answer this question" : null;
  if (kind === "choice") {
    return isSaved || choices.includes(answer) ? null : "Please choose one of the answers";
  }
  // Digits of any script.
  const isNumber = NUMBER.test(answer.replace(/\p{Nd}/gu, "0"));
  return kind === "number" && !isNumber ? "Please answer with a number, like 12" : null;
}
