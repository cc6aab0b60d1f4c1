/** Unsent messages when what they say, or to whom, has changed since they were queued. */
import { sql } from "kysely";
import {
  type Audience,
  type Channel,
  MESSAGE_KINDS,
  type MessageKind,
} from "#app/model/messages.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
import { type Message, messages, toMessage } from "./messages.server.ts";

/** What was said of a session at the sequence before is still true of it, and may be sent. */
export function followSequence(
  tx: Db,
  { id, calendarSequence }: { id: string; calendarSequence: number },
): void {
  const sequence = sql<number>`json_extract(data, '$.sequence')`;
  tx.run(
    sqlite
      .updateTable("message")
      .set({ data: sql`json_set(data, '$.sequence', ${calendarSequence})` })
      .where("appointment_id", "=", id)
      .where("kind", "not in", literals(["joining_changed", "counselor_joining_changed"]))
      .where(sequence, "=", calendarSequence - 1),
  );
}

/** Messages of an appointment that wait for a try. */
const unsent = (appointmentId: string, channel: Channel) =>
  sqlite
    .updateTable("message")
    .where("appointment_id", "=", appointmentId)
    .where("channel", "=", channel)
    .where("next_try_at", "is not", null);

/** Unsent messages of a corrected contact go to the new address or number. */
export function redirectCustomerMessages(
  db: Db,
  appointmentId: string,
  channel: Channel,
  recipient: string,
  now: number,
): void {
  const toCustomer = unsent(appointmentId, channel).where("audience", "=", "customer");
  db.run(toCustomer.set({ recipient, attempts: 0, next_try_at: now }));
}

/** What waits for a captain goes to their new address, also of sessions that they gave away. */
export function redirectCaptainMessages(
  db: Db,
  counselorKey: string,
  { from, to }: { from: string; to: string },
  now: number,
): void {
  const ofMessage = sql<boolean>`coalesce(
    CASE kind WHEN 'counselor_cancelled' THEN json_extract(data, '$.previousCounselor') END,
    json_extract(data, '$.appointment.counselorKey'),
    (SELECT counselor_key FROM appointment WHERE appointment.id = appointment_id)) = ${counselorKey}`;
  const waiting = sqlite
    .updateTable("message")
    .where("audience", "=", "counselor")
    .where("recipient", "=", from)
    .where("next_try_at", "is not", null)
    .where(ofMessage);
  db.run(waiting.set({ recipient: to, attempts: 0, next_try_at: now }));
}

/** Waiting alerts go to the corrected address of the business; what goes to one account does not. */
export function redirectAlerts(db: Db, recipient: string, now: number): void {
  const waiting = sqlite
    .updateTable("message")
    .where("kind", "like", "admin%")
    .where("next_try_at", "is not", null);
  db.run(waiting.set({ recipient, attempts: 0, next_try_at: now }));
}

/** An unsent confirmation gives way to the one that the corrected contact causes. */
export function supersedeConfirmation(db: Db, appointmentId: string, channel: Channel): void {
  const why = "the contact was corrected, and a new confirmation went out.";
  supersede(db, appointmentId, channel, ["booking_confirmed"], why);
}

/** Each has its booking's link, or its plan as it is, so that only the newest is to go out. */
const NEWEST_ALONE: readonly MessageKind[] = ["payment_link", "guardian_asked", "session_plan"];

/** An unsent one of these kinds gives way to the newer one by the same channel; nothing else does. */
export function supersedeOlder(
  db: Db,
  appointmentId: string,
  channel: Channel,
  kind: MessageKind,
): void {
  if (!NEWEST_ALONE.includes(kind)) return;
  supersede(db, appointmentId, channel, [kind], "a newer one went out.");
}

/** What the captain has not been sent yet is no longer theirs. */
export function supersedeCounselorMessages(db: Db, appointmentId: string): void {
  const kinds = Object.keys(MESSAGE_KINDS).filter(
    (kind) => kind.startsWith("counselor_") && kind !== "counselor_cancelled",
  );
  supersede(db, appointmentId, "email", kinds, "the session has gone to another captain.");
}

/** Who was sent the awaited link with an invite of this sequence needs no mail that it has come. */
export function supersedeFirstLink(
  db: Db,
  { appointmentId, channel, audience, recipient }: Message,
  sequence: number,
): void {
  const those = unsent(appointmentId!, channel)
    .where("audience", "=", audience)
    .where("recipient", "=", recipient)
    .where(sql`json_extract(data, '$.first')`, "=", 1)
    .where(sql`json_extract(data, '$.sequence')`, "<=", sequence);
  db.run(those.set(notSent("another message brought the link.")));
}

/** Messages about a move or a hand-over. */
export const MOVES: readonly MessageKind[] = [
  "booking_rescheduled",
  "counselor_new",
  "counselor_moved",
  "counselor_cancelled",
];

interface Untold {
  appointmentId: string;
  audience: Audience;
  channel: Channel;
  recipient: string;
  /** Of the message that takes their place; a repeated event does not take back its own. */
  cause: string;
}

/**
 * Takes back the messages about moves and hand-overs that are still to be sent, and returns them, the
 * oldest first. What is being sent now, or again, stays and counts as told.
 */
export function takeUntold(
  db: Db,
  { appointmentId, audience, channel, recipient, cause }: Untold,
  now: number,
): Message[] {
  const waiting = messages
    .where("appointment_id", "=", appointmentId)
    .where("channel", "=", channel)
    .where("audience", "=", audience)
    .where("recipient", "=", recipient)
    .where("cause", "<>", cause)
    .where("kind", "in", literals(MOVES))
    .where(sql`json_extract(data, '$.sequence')`, "is not", null)
    .where(sql`json_extract(data, '$.resend')`, "is", null)
    .where("next_try_at", "is not", null)
    .where(sql<boolean>`coalesce(lease_until, 0) <= ${now}`);
  const untold = db.all(waiting.orderBy(sql`rowid`)).map(toMessage);
  const ids = untold.map(({ id }) => id);
  const those = unsent(appointmentId, channel).where("id", "in", ids);
  if (ids.length > 0) db.run(those.set(notSent("the session was changed again since.")));
  return untold;
}

/** True if the captain at this address was sent a mail that a session is theirs. */
export function wasSent(db: Db, appointmentId: string, recipient: string): boolean {
  const theirs = messages.where("appointment_id", "=", appointmentId);
  const sent = theirs.where("recipient", "=", recipient).where("sent_at", "is not", null);
  return db.has(sent.where("kind", "in", literals(["counselor_new", "counselor_moved"])));
}

function supersede(
  db: Db,
  appointmentId: string,
  channel: Channel,
  kinds: readonly string[],
  why: string,
): void {
  const those = unsent(appointmentId, channel).where("kind", "in", literals(kinds));
  db.run(those.set(notSent(why)));
}

const notSent = (why: string) =>
  ({ state: "failed", next_try_at: null, last_error: `Not sent: ${why}` }) as const;
