/** What a move is about, and the moves about money that waits for a person or stands in the dashboard. */
import type { Selectable } from "kysely";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { COUNSELORS } from "#app/catalogue.ts";
import { findPackage } from "#app/model/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { retryRefund, settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import type { RefundTable } from "#db/money-tables.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import type { AppointmentTable } from "#db/tables.ts";
import type { BookedDispute, DisputePhase } from "./money-books.ts";
import type { BookingFacts, Person } from "./money-facts.ts";
import type { MoneyProcess } from "./money-process.ts";
import type { MoneyWorld } from "./money-world.ts";

export type Move = (world: MoneyWorld, process: MoneyProcess) => Promise<void>;

export const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;

export type BookingRow = Selectable<AppointmentTable>;

/** Few times, so that people want the same ones. */
const DAYS = [0, 1, 1, 1, 2, 2, 3, 6, 9];
const TIMES = ["09:00", "10:00", "15:00"];
const MINUTES = [30, 30, 45, 60];

export function isPaidRow({ status }: Pick<BookingRow, "status">): boolean {
  return status === "confirmed" || status === "rescheduled";
}

export function rowsOf(world: MoneyWorld): BookingRow[] {
  return world.db.allRaw<BookingRow>("SELECT * FROM appointment ORDER BY seq");
}

/** Mostly one of those that fit, now and then any; null if there is none. */
export function pickBooking(
  world: MoneyWorld,
  fits: (row: BookingRow) => boolean,
): BookingRow | null {
  const rows = rowsOf(world);
  const fitting = rows.filter(fits);
  const from = fitting.length === 0 || world.dice.often(0.07) ? rows : fitting;
  return from.length === 0 ? null : world.dice.pick(from);
}

export function pickPerson(world: MoneyWorld): Person {
  return world.dice.pick(world.people);
}

export function factsOf(world: MoneyWorld, id: string): BookingFacts {
  const facts = world.bookings.get(id);
  if (!facts) throw new Error(`a booking that nobody made: ${id}`);
  return facts;
}

export function addBooking(world: MoneyWorld, id: string, person: Person): void {
  if (world.bookings.has(id)) return;
  world.bookings.set(id, {
    id,
    person,
    payBefore: 0,
    cancelled: null,
    partsPaise: 0,
    isErased: false,
  });
}

/** A time, and now and then just the one that somebody else wanted and no longer holds. */
export function pickTime(world: MoneyWorld) {
  const { dice, clock } = world;
  const lost = rowsOf(world).filter(
    ({ status, hold_until, starts_at }) =>
      status === "pending_payment" && (hold_until ?? 0) < clock.now && starts_at > clock.now,
  );
  if (lost.length > 0 && dice.often(0.5)) {
    const { counselor_key, on_date, time_slot } = dice.pick(lost);
    return { counselor: nameOf(counselor_key), date: on_date, timeSlot: time_slot };
  }
  return {
    counselor: dice.pick(COUNSELORS).name,
    date: addDays(dateInIndia(clock.now), dice.pick(DAYS)),
    timeSlot: dice.pick(TIMES),
  };
}

function nameOf(key: string): string {
  return COUNSELORS.find((one) => one.key === key)?.name ?? COUNSELORS[0]!.name;
}

export function requestOf(world: MoneyWorld, { name, email, phone }: Person): BookingInput {
  const minutes = world.dice.pick(MINUTES);
  return { name, email, phone, ...pickTime(world), package: minutes };
}

/** The same form again. */
export function sameRequest(row: BookingRow, { name, phone }: Person): BookingInput {
  const { email, counselor_key, on_date: date, time_slot: timeSlot, minutes } = row;
  return {
    name,
    email,
    phone,
    date,
    timeSlot,
    package: minutes,
    counselor: nameOf(counselor_key),
  };
}

/** Rupees before GST of a package, as the page shows it now. */
export function priceNow(world: MoneyWorld, minutes: number): number {
  return findPackage(readCatalogue(world.db), minutes)!.price;
}

/** Of way `dashboard`: what was made there. */
export type RefundRow = Selectable<RefundTable>;

/** It waits for a person. */
export function isStuck({ state, way }: RefundRow): boolean {
  return (state === "failed" || state === "needs_person") && way !== "dashboard";
}

export function refundRows(world: MoneyWorld): RefundRow[] {
  return world.db.allRaw<RefundRow>("SELECT * FROM refund ORDER BY created_at, id");
}

function pickRefund(world: MoneyWorld): RefundRow | null {
  const rows = refundRows(world);
  const stuck = rows.filter(isStuck);
  const from = stuck.length > 0 && world.dice.often(0.8) ? stuck : rows;
  return from.length === 0 ? null : world.dice.pick(from);
}

export async function tryAgain(
  world: MoneyWorld,
  process: MoneyProcess,
  { id, state, payment_id }: RefundRow,
): Promise<boolean> {
  const done = await process.run(async (deps) => retryRefund(deps, ADMIN, id));
  world.note(`staff try refund ${id.slice(-6)} again: ${done?.ok ? done.value.state : done?.code}`);
  const isStill = done?.ok && done.value.id === id && done.value.state === state;
  if (
    isStill &&
    (state === "failed" || state === "needs_person") &&
    !isOfflinePayment(payment_id)
  ) {
    world.wrong("try again does what it says", `${state} before and after`);
  }
  return done?.ok === true && !isStill;
}

/** Pays it back by hand where the app says that this is to be done. */
export async function settleByHand(
  world: MoneyWorld,
  process: MoneyProcess,
  { id, payment_id }: RefundRow,
): Promise<boolean> {
  const done = await process.run((deps) => settleRefund(deps, ADMIN, id));
  world.note(`staff pay refund ${id.slice(-6)} by hand: ${done?.ok ? "done" : done?.code}`);
  if (!done?.ok) return false;
  const { amountPaise } = done.value;
  // Marked again after a restore: nobody pays twice.
  if (world.handedBack.some(({ refundId }) => refundId === id)) return true;
  world.handedBack.push({ paymentId: payment_id, refundId: id, amountPaise });
  const { handedBack } = world.books;
  handedBack.set(payment_id, (handedBack.get(payment_id) ?? 0) + amountPaise);
  return true;
}

const retry: Move = async (world, process) => {
  const row = pickRefund(world);
  if (row) await tryAgain(world, process, row);
};

const settle: Move = async (world, process) => {
  const row = pickRefund(world);
  if (row) await settleByHand(world, process, row);
};

/** Given to a booking that it can pay, or sent back. */
export async function dealWithUnmatched(
  world: MoneyWorld,
  process: MoneyProcess,
  paymentId: string,
): Promise<void> {
  const pending = rowsOf(world).filter(({ status }) => status === "pending_payment");
  if (pending.length > 0 && world.dice.often(0.6)) {
    const { id } = world.dice.pick(pending);
    const given = await process.run(async (deps) => assignUnmatched(deps, ADMIN, paymentId, id));
    world.note(`staff give ${paymentId} to ${id.slice(-6)}: ${given?.ok ? "done" : given?.code}`);
    if (given?.ok !== false) return;
  }
  const back = await process.run(async (deps) => refundUnmatched(deps, ADMIN, paymentId));
  world.note(`staff send ${paymentId} back: ${back?.ok ? "done" : back?.code}`);
}

export function unmatchedIds(world: MoneyWorld): string[] {
  const unmatched = "SELECT payment_id FROM payment WHERE outcome = 'unmatched'";
  return world.db.allRaw<{ payment_id: string }>(unmatched).map(({ payment_id }) => payment_id);
}

const unmatched: Move = async (world, process) => {
  const ids = unmatchedIds(world);
  if (ids.length > 0) await dealWithUnmatched(world, process, world.dice.pick(ids));
};

const refundInDashboard: Move = async (world) => {
  const { dice, books } = world;
  const paid = books.payments.filter((payment) => books.owedOf(payment) >= 100);
  if (paid.length === 0) return;
  const payment = dice.often(0.5) ? paid.at(-1)! : dice.pick(paid);
  const left = books.owedOf(payment);
  const parts = [left, left, 50_000, 68_000, Math.round(left / 2)];
  const amount = Math.max(100, Math.min(left, dice.pick(parts)));
  const status = dice.often(0.5) ? "processed" : "pending";
  const { refundId } = books.makeRefund(payment, amount, null, "dashboard", status);
  world.note(`dashboard: refund ${refundId} of ${amount}, ${status}`);
};

/** What waits is carried out or not; what was carried out may still come back. */
const endRefund: Move = async (world) => {
  const { dice, books } = world;
  const alive = books.refunds.filter(({ status, by }) => status !== "failed" && by !== "bank");
  if (alive.length === 0) return;
  const refund = dice.often(0.5) ? alive.at(-1)! : dice.pick(alive);
  const fails = dice.often(0.6);
  world.note(`provider: refund ${refund.refundId} ${fails ? "fails" : "goes through"}`);
  if (fails) books.failRefund(refund);
  else books.processRefund(refund);
};

const openDispute: Move = async (world) => {
  const { dice, books } = world;
  const paid = books.payments.filter((payment) => books.owedOf(payment) >= 100);
  if (paid.length === 0) return;
  const payment = dice.often(0.6) ? paid.at(-1)! : dice.pick(paid);
  const left = books.owedOf(payment);
  const amount = dice.often(0.7) ? left : Math.max(100, Math.round(left / 2));
  const phase = dice.weighted({ chargeback: 70, retrieval: 18, fraud: 12 });
  const { disputeId } = books.openDispute(payment, amount, phase);
  world.note(`bank: dispute ${disputeId} over ${amount} of ${payment.paymentId}, ${phase}`);
};

const NEXT: Partial<Record<DisputePhase, DisputePhase>> = {
  fraud: "chargeback",
  retrieval: "chargeback",
  chargeback: "pre_arbitration",
  pre_arbitration: "arbitration",
};

const moveDispute: Move = async (world) => {
  const { disputes } = world.books;
  if (disputes.length > 0) stepDispute(world, world.dice.pick(disputes));
};

export function stepDispute(world: MoneyWorld, dispute: BookedDispute): void {
  const { dice, books } = world;
  const { status, phase } = dispute;
  const next = NEXT[phase];
  const isEnded = status !== "open" && status !== "under_review";
  if (isEnded) {
    const mayReturn = status === "won" || (status === "closed" && phase !== "chargeback");
    if (mayReturn && next) books.raiseDispute(dispute, next);
  } else if (phase === "fraud" || phase === "retrieval") books.moveDispute(dispute, "closed");
  else if (status === "open" && dice.often(0.6)) books.moveDispute(dispute, "under_review");
  else books.moveDispute(dispute, dice.weighted({ lost: 60, won: 40 }));
  world.note(`bank: dispute ${dispute.disputeId} is ${dispute.phase} ${dispute.status}`);
}

/** The moves of this file. */
export const desk = {
  retry,
  settle,
  unmatched,
  refundInDashboard,
  endRefund,
  openDispute,
  moveDispute,
};
