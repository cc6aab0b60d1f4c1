/** What the booking's pages show of the questions before the session. */
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { answerField, LONGEST_ANSWER } from "#app/sessions/answer-fields.ts";
import { readPreparation } from "#app/sessions/preparation.server.ts";
import { findGuardian } from "#db/queries/preparation.server.ts";

export type PreparationView = ReturnType<typeof preparationView>;

/** For everybody with the booking's link: numbers and states, no text that the customer wrote. */
export function preparationView(deps: ReadDeps, appointment: Appointment) {
  const asked = readPreparation(deps, appointment);
  const isAhead = appointment.startsAt > deps.now();
  const guardian = isAhead ? findGuardian(deps.db, appointment.id) : null;
  return {
    id: appointment.id,
    questions: asked && {
      count: asked.questions.length,
      answered: asked.answered,
      left: asked.left,
      isOpen: asked.isOpen,
    },
    awaitsGuardian: guardian !== null && guardian.confirmedAt === null,
  };
}

/** With the answers, so only for a browser in which the booking is open. */
export function questionsView({
  questions,
  answers,
  isOpen,
}: NonNullable<ReturnType<typeof readPreparation>>) {
  return {
    isOpen,
    asked: questions.map(({ id }) => id).join(" "),
    longest: LONGEST_ANSWER,
    answers,
    questions: questions.map((question, place) => {
      const answer = answers.find(({ id }) => id === question.id)?.answer ?? "";
      // With the saved one, also where it is no choice any more.
      const choices = [...new Set(["", ...question.choices, answer])];
      return { ...question, choices, name: answerField(place), answer };
    }),
  };
}
