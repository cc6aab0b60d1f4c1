/** What a customer answers between payment and session, for the captain. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { findPackage, leftToAnswer, unanswered } from "#app/model/catalogue.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findAnswers, saveAnswers } from "#db/queries/preparation.server.ts";
import { checkAnswers, type Given } from "./answer-fields.ts";

/** Null where nothing is asked, and nothing was answered. Personal, but for the numbers. */
export function readPreparation(
  { db, now }: { db: Db; now: () => number },
  appointment: Appointment,
) {
  if (!isPaid(appointment)) return null;
  const questions = findPackage(readCatalogue(db), appointment.minutes)?.questions ?? [];
  const answers = findAnswers(db, appointment.id);
  const isOpen = appointment.startsAt > now();
  if (isOpen ? questions.length === 0 : answers.length === 0) return null;
  return {
    questions,
    answers,
    isOpen,
    answered: questions.length - unanswered(questions, answers).length,
    left: leftToAnswer(questions, answers).length,
  };
}

/**
 * The answers take the place of those before. Refusals: `validation_failed`, `not_found` where
 * nothing is asked (any more), `stale` once the session has begun.
 */
export function answerQuestions(deps: ReadDeps, id: string, given: Given): Outcome<null> {
  return inTransaction(deps.db, (tx): Outcome<null> => {
    const appointment = findAppointment(tx, id);
    const asked = appointment && readPreparation({ db: tx, now: deps.now }, appointment);
    if (!asked) return NOTHING_ASKED;
    if (!asked.isOpen) return BEGUN;
    const answers = checkAnswers(asked.questions, given, asked.answers);
    if (!answers.ok) return answers;
    saveAnswers(tx, id, answers.value, deps.now());
    return success(null);
  });
}

const NOTHING_ASKED = failure("not_found", "There is no question to answer any more.");
const BEGUN = failure("stale", "The session has begun: the answers stay as they are.");
