/** Who said at a session's hour that the other is not there. */
import { sql } from "kysely";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import type { HelpSide } from "#app/model/help.ts";
import { PAID } from "#app/model/statuses.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

/** A session at its present time: calls at an earlier time do not count. */
export type OfSession = Pick<Appointment, "id" | "startsAt">;

/** The customer's first. */
export function listHelpCalls(db: Db, { id, startsAt }: OfSession) {
  const calls = sqlite
    .selectFrom("help_call")
    .select(["side", "starts_at as startsAt", "called_at as calledAt", "asks"])
    .select(["asked_date as askedDate", "asked_time as askedTime", "settled_at as settledAt"]);
  const own = calls.where("appointment_id", "=", id).where("starts_at", "=", startsAt);
  return db.all(own.orderBy("side", "desc"));
}

/** What one side said about one start of a session. */
export type HelpCall = ReturnType<typeof listHelpCalls>[number];

export function insertHelpCall(
  tx: Db,
  { id, startsAt }: OfSession,
  { side, at }: { side: HelpSide; at: number },
): void {
  const row = { appointment_id: id, starts_at: startsAt, side, called_at: at };
  tx.run(sqlite.insertInto("help_call").values(row));
}

/** `date` and `timeSlot` in India. */
export type HelpAsked = { asks: "refund" } | { asks: "move"; date: string; timeSlot: string };

/** Replaces what the customer asked for before, and opens a closed call again. */
export function saveAsked(tx: Db, session: OfSession, asked: HelpAsked): void {
  const [date, time] = asked.asks === "move" ? [asked.date, asked.timeSlot] : [null, null];
  const set = { asks: asked.asks, asked_date: date, asked_time: time, settled_at: null };
  tx.run(callOf(session, "customer").set(set));
}

export function settleHelpCall(tx: Db, session: OfSession, side: HelpSide, at: number): void {
  tx.run(callOf(session, side).set({ settled_at: at }));
}

function callOf({ id, startsAt }: OfSession, side: HelpSide) {
  const call = sqlite.updateTable("help_call").where("appointment_id", "=", id);
  return call.where("starts_at", "=", startsAt).where("side", "=", side);
}

/** Of these bookings, those whose customer asks for something and was not answered yet. */
export function stillAsking(db: Db, bookings: readonly Appointment[]): Appointment[] {
  const isOpen = ({ asks, settledAt }: HelpCall) => asks !== null && settledAt === null;
  return bookings.filter((one) => isPaid(one) && listHelpCalls(db, one).some(isOpen));
}

/**
 * Sessions with a call that waits for staff, first those whose customer asks for something, then the
 * oldest; without sessions that were moved or cancelled since.
 */
export function listCallingForHelp(db: Db, limit: number): Appointment[] {
  const calling = appointments
    .innerJoin("help_call as h", "h.appointment_id", "a.id")
    .where("h.settled_at", "is", null)
    .where("h.starts_at", "=", sql.ref<number>("a.starts_at"))
    .where("a.status", "in", literals(PAID));
  const asking = calling.groupBy("a.id").orderBy(sql`max(h.asks is not null)`, "desc");
  const inOrder = asking.orderBy(sql`min(h.called_at)`);
  return db.all(inOrder.limit(limit)).map(toAppointment);
}
