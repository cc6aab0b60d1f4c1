/** Questions before a session and their answers. */
import type { Question } from "./catalogue.ts";

/** The question's words stay as they were when it was answered. */
export interface Answer {
  id: string;
  label: string;
  answer: string;
}

/** Those of a package that have no answer yet. */
export function unanswered(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly Question[] {
  return questions.filter(({ id }) => !answers.some((one) => one.id === id));
}

/** Those to ask the customer for: once one is answered, others that need no answer may stay blank. */
export function leftToAnswer(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly Question[] {
  const open = unanswered(questions, answers);
  return open.length === questions.length ? open : open.filter(({ required }) => required);
}
