/** Queue lengths and ages, what waits for a person, and how much is booked. */
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import { readSetting } from "./documents.server.ts";
import { waitsForPerson } from "./payments.server.ts";

const messages = sqlite.selectFrom("message");
const refunds = sqlite.selectFrom("refund");
const events = sqlite.selectFrom("provider_event");
const length = sqlite.fn.countAll<number>().as("length");

const QUEUES = {
  outbox: messages
    .select((eb) => [length, eb.fn.min<number | null>("created_at").as("oldest")])
    .where("next_try_at", "is not", null),
  refunds: refunds
    .select((eb) => [length, eb.fn.min<number | null>("created_at").as("oldest")])
    .where("next_try_at", "is not", null),
  provider_events: events
    .select((eb) => [length, eb.fn.min<number | null>("received_at").as("oldest")])
    .where("state", "=", literal("new")),
};

const WAITING = {
  message: messages.select(COUNT).where("state", "=", literal("failed")),
  refund: refunds.select(COUNT).where(waitsForPerson),
  unmatched_payment: sqlite
    .selectFrom("payment")
    .select(COUNT)
    .where("outcome", "=", literal("unmatched")),
  provider_event: events.select(COUNT).where("state", "=", literal("parked")),
};

/** `oldest` is the creation of the oldest row, milliseconds UTC. */
export function readQueues(db: Db) {
  return {
    queues: Object.entries(QUEUES).map(([queue, rows]) => ({ queue, ...db.first(rows)! })),
    waiting: Object.entries(WAITING).map(([kind, rows]) => ({ kind, ...db.first(rows)! })),
    backup: lastCopy(db, "last_backup"),
    offSite: lastCopy(db, "last_off_site"),
  };
}

function lastCopy(db: Db, name: string) {
  const text = readSetting(db, name);
  return text ? (JSON.parse(text) as { at: number; bytes: number }) : null;
}

/** Unpaid holds that run at `now` (milliseconds UTC), and paid sessions still to begin. */
export function countTimesTaken(db: Db, now: number): { kind: string; count: number }[] {
  const held = sqlite.selectFrom("session_time").select(COUNT).where("held_until", ">", now);
  const toCome = sqlite.selectFrom("appointment").select(COUNT).where("starts_at", ">", now);
  const paid = toCome.where("status", "in", literals(PAID));
  return [
    { kind: "unpaid_hold", count: db.first(held)!.count },
    { kind: "paid", count: db.first(paid)!.count },
  ];
}
