/** For a student under 18, the customer confirms as parent or guardian by a mailed link. */
import type { z } from "zod";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { isId, newId } from "#app/model/ids.ts";
import type { AskedAgain } from "#app/model/messages.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listMessages } from "#db/queries/messages.server.ts";
import {
  askGuardianBy,
  findGuardian,
  findGuardianByToken,
  forgetConfirmation,
  saveConfirmation,
} from "#db/queries/preparation.server.ts";
import type { guardianSchema } from "./student-fields.ts";

/**
 * Mails the link with a new token, and `why` if one was mailed before. Does nothing if no confirmation
 * is needed or it was given.
 */
export function askGuardian(
  tx: Db,
  env: Env,
  appointment: Appointment,
  now: number,
  why?: AskedAgain,
): void {
  const { id, student } = appointment;
  const isDue = student?.under18 && isPaid(appointment);
  const before = findGuardian(tx, id);
  if (!isDue || before?.confirmedAt) return;
  askGuardianBy(tx, id, newId());
  // One that was not sent yet gives way to this one, and asks for the first time or again as it did.
  const unsent = listMessages(tx, id).find(
    ({ kind, nextTryAt }) => kind === "guardian_asked" && nextTryAt !== null,
  );
  const wasAsked = unsent ? unsent.data.again : before;
  queueMessages(tx, env, now, {
    type: "guardian_asked",
    appointment,
    again: wasAsked ? why : undefined,
  });
}

/** For a future session: like `askGuardian`, but drops a confirmation for another name. */
export function askGuardianAnew(
  tx: Db,
  env: Env,
  appointment: Appointment,
  now: number,
  why: AskedAgain,
): void {
  const [forName = ""] = guardianWords(appointment, env);
  const words = findGuardian(tx, appointment.id)?.words;
  const isForOther = words != null && !words.startsWith(forName);
  if (isForOther) forgetConfirmation(tx, appointment.id);
  askGuardian(tx, env, appointment, now, isForOther ? "corrected" : why);
}

/** The text that a guardian agrees to now. The text that was agreed to is stored. */
export function guardianWords(
  { student }: Pick<Appointment, "student">,
  { business }: Pick<Env, "business">,
): string[] {
  const name = student?.name ?? "";
  return [
    `I am an adult, and a parent or guardian of ${name}, who is under 18.`,
    `I agree that ${name} takes part in this session, with the captain who holds it.`,
    `I agree that ${business.name} uses ${name}’s name, and what I write for the session, to hold it, and that the captain reads both. Messages go to me alone.`,
    `I have read the privacy page. I can withdraw this, and have these data shown, corrected or erased, by writing to ${business.email}.`,
  ];
}

/** Sent back with the form, to notice if the text has changed since it was shown. */
export function hashOfWords(words: readonly string[]): string {
  return sha256(words.join("\n"));
}

/** The confirmation and appointment behind the link; null for an unknown token. */
export function readGuardianPage({ db }: { db: Db }, token: string | undefined) {
  const guardian = isId(token) ? findGuardianByToken(db, token) : null;
  const appointment = guardian && findAppointment(db, guardian.appointmentId);
  return guardian && appointment ? { guardian, appointment } : null;
}

/** Why nothing can be confirmed any more; null while it can. */
export function guardianClosed(appointment: Appointment, now: number): string | null {
  if (!isPaid(appointment)) return "The session is cancelled";
  return appointment.endsAt <= now ? "The session is over" : null;
}

/**
 * Stores the confirmation with its time, text and relation; a repeat changes nothing. Refusals:
 * `not_found`, `already_cancelled`, `stale` (the session is over, or another text was shown).
 */
export function confirmGuardian(
  deps: ReadDeps,
  token: string | undefined,
  { relation, shown }: z.output<typeof guardianSchema>,
): Outcome<null> {
  return inTransaction(deps.db, (tx): Outcome<null> => {
    const page = readGuardianPage({ db: tx }, token);
    if (!page) return failure("not_found", "This link leads nowhere any more.");
    const { appointment, guardian } = page;
    if (guardian.confirmedAt) return success(null);
    const closed = guardianClosed(appointment, deps.now());
    if (closed) {
      const code = isPaid(appointment) ? "stale" : "already_cancelled";
      return failure(code, `${closed}: there is nothing to confirm.`);
    }
    const words = guardianWords(appointment, deps.env);
    if (shown !== undefined && shown !== hashOfWords(words)) return WORDS_CHANGED;
    const kept = { at: deps.now(), relation, words: words.join("\n") };
    saveConfirmation(tx, appointment.id, kept);
    return success(null);
  });
}

const WORDS_CHANGED = failure(
  "stale",
  "What you are asked to agree to has changed since you opened this page. Please read it again.",
);
