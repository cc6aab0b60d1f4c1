/** A money world at rest, held against the plain account of what was done in it: its money, pages and papers. */
import type { Selectable } from "kysely";
import { readBookingPage } from "#app/booking/booking-page.server.ts";
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { writeFailures } from "#app/core/failures.server.ts";
import { documentFacts } from "#app/documents/document-facts.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { bookingView } from "#app/routes/public/booking/booking-view.server.ts";
import type { PaymentTable } from "#db/money-tables.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import type { BookedPayment } from "./money-books.ts";
import type { BookingFacts } from "./money-facts.ts";
import { isPaidRow, type RefundRow, refundRows, rowsOf } from "./money-picks.ts";
import { paiseOf } from "./money-sentences.ts";
import type { MoneyWorld } from "./money-world.ts";

export function judge(world: MoneyWorld): void {
  const about = caseOf(world);
  placesOfMoney(about);
  for (const facts of world.bookings.values()) keptOfBooking(about, facts);
  stuck(about);
  // After a restore the app need not know what was agreed.
  if (world.restoredAt === null) {
    for (const facts of world.bookings.values()) notifiedOfCancelling(about, facts);
    owed(about);
    judgePapers(about);
    judgePages(about);
  }
  for (const process of world.processes) writeFailures(process.deps);
  for (const row of world.db.allRaw("SELECT area, kind, place FROM failure")) {
    world.wrong("nothing fails inside", JSON.stringify(row));
  }
}

/** Every captured rupee is known, once, and no more went back than came. */
function placesOfMoney({ world, money, payments }: Case): void {
  for (const { paymentId, keptPaise } of money.values()) {
    const row = payments.find((one) => one.payment_id === paymentId);
    if (isBeyond(world, paymentId)) continue;
    if (keptPaise < 0) world.wrong("no more goes back than came", `${paymentId}: ${keptPaise}`);
    if (!row) world.wrong("every captured rupee has a place", `${paymentId} is not known`);
    else if (row.captured_at === null || row.outcome === "authorized" || row.outcome === "failed") {
      world.wrong("every captured rupee has a place", `${paymentId} is ${row.outcome}`);
    }
  }
  for (const { payment_id, captured_at } of payments) {
    const isMade = money.has(payment_id) || isForeign(world, payment_id);
    const isReturned = world.books.payments.some((one) => one.paymentId === payment_id);
    if (captured_at !== null && !isMade && !isReturned) {
      world.wrong("no money is made up", payment_id);
    }
  }
}

/** What is kept of a booking is what we say, and what was agreed. */
function keptOfBooking({ world, money, payments, refunds }: Case, facts: BookingFacts): void {
  const own = payments.filter(({ appointment_id }) => appointment_id === facts.id);
  if (own.some(({ payment_id }) => isBeyond(world, payment_id))) return;
  const row = rowsOf(world).find(({ id }) => id === facts.id);
  const kept = own.reduce(
    (sum, { payment_id }) => sum + (money.get(payment_id)?.keptPaise ?? 0),
    0,
  );
  const short = facts.id.slice(-6);
  if (row && row.kept_paise !== kept) {
    world.wrong("what is kept is what we say", `${short}: ${row.kept_paise} said, ${kept} kept`);
  }
  const pays = own.filter(({ outcome }) => outcome === "applied" || outcome === "assigned");
  if (row && isPaidRow(row) && pays.length !== 1) {
    world.wrong("a paid booking has its payment", `${short} has ${pays.length}`);
  }
  for (const { payment_id, outcome } of own) {
    const one = money.get(payment_id);
    if (!one) continue;
    const said = saidOf(one.amountPaise, refunds, payment_id);
    if (!row && said - one.takenPaise !== one.keptPaise) {
      const sums = `${payment_id}: ${said} said, ${one.keptPaise} kept`;
      world.wrong("what is kept is what we say", `of a booking that is gone, ${sums}`);
    }
    const isPaying = outcome === "applied" || outcome === "assigned";
    const agreed = isPaying ? agreedOf(world, facts, one) : { least: 0, most: 0 };
    if (world.restoredAt !== null && isPaying) continue;
    if (one.keptPaise < agreed.least || one.keptPaise > agreed.most) {
      const range = `${agreed.least} to ${agreed.most}`;
      const what = `${short}, ${outcome} ${payment_id}: ${one.keptPaise} kept, ${range} agreed`;
      world.wrong("what is kept is what was agreed", what);
    }
  }
}

/** What is kept by our rows: a refund without an answer of the provider's moved nothing. */
function saidOf(amountPaise: number, refunds: readonly RefundRow[], paymentId: string): number {
  const gone = refunds.filter(
    (one) =>
      one.payment_id === paymentId &&
      one.state === "processed" &&
      (one.provider_refund_id !== null || one.settled_at !== null),
  );
  return amountPaise - gone.reduce((sum, one) => sum + one.amount_paise, 0);
}

/**
 * Of a payment that pays its booking: less what staff gave back, what the dashboard sent and what the
 * bank took. A refund of the dashboard may stand for one of ours, and one that failed may have been
 * made good.
 */
function agreedOf({ books }: MoneyWorld, facts: BookingFacts, money: Money) {
  const { cancelled, partsPaise } = facts;
  if (cancelled?.wasPaid && cancelled.backPaise === "all") return { least: 0, most: 0 };
  const wanted = partsPaise + (cancelled?.wasPaid ? Number(cancelled.backPaise) : 0);
  const made = books.refundsOf(money.paymentId).filter(({ by }) => by === "dashboard");
  const sumOf = (all: typeof made) => all.reduce((sum, one) => sum + one.amountPaise, 0);
  const stood = sumOf(made.filter(({ status }) => status === "processed"));
  const own = money.amountPaise - money.takenPaise;
  return {
    least: Math.max(0, own - wanted - sumOf(made)),
    most: Math.max(0, own - Math.max(wanted, stood)),
  };
}

/** Customer and captain are notified of a paid session's cancellation, whatever came after. */
function notifiedOfCancelling({ world }: Case, { id, cancelled, isErased }: BookingFacts): void {
  if (!cancelled?.wasPaid || isErased) return;
  const isSent = (kind: string) =>
    world.sent.some((one) => one.kind === kind && one.appointmentId === id);
  for (const kind of ["booking_cancelled", "counselor_cancelled"]) {
    if (!isSent(kind)) world.wrong("a cancellation is notified", `no ${kind}`);
  }
}

/** Staff were notified of each refund that waits for a person, and none waits for ever. */
function owed({ world, refunds }: Case): void {
  for (const id of world.forPerson) {
    const isNotified = world.sent.some(
      ({ kind, data }) => kind === "admin_refund_needs_person" && data.refundId === id,
    );
    if (isNotified) continue;
    const row = refunds.find((one) => one.id === id);
    const way = isOfflinePayment(row?.payment_id ?? "") ? "outside" : "at the provider";
    world.wrong("staff are notified of what is owed", `a refund ${way}`);
  }
  for (const { id, state } of listRefundsForPerson(world.db, 50)) {
    world.wrong("a refund comes to its end", `refund ${id.slice(-6)} is still ${state}`);
  }
  const moving = ["wanted", "sent", "pending"];
  for (const { id, state, payment_id } of refunds) {
    if (moving.includes(state) && !isForeign(world, payment_id)) {
      world.wrong("a refund comes to its end", `refund ${id.slice(-6)} is still ${state}`);
    }
  }
  const disputed = new Set(world.books.disputes.map(({ disputeId }) => disputeId));
  for (const { data, text } of world.sent
    .filter(({ kind }) => kind === "admin_dispute")
    .reverse()) {
    const isLast = disputed.delete(data.disputeId ?? "");
    const isOver = !["open", "under_review"].includes(world.books.dispute(data.disputeId!).status);
    if (isLast && isOver && /Answer it in Razorpay's dashboard/.test(text.replace(/\s+/g, " ")))
      world.wrong("what is shown at last is true", "a dispute");
  }
  for (const id of disputed) {
    const { paymentId } = world.books.dispute(id);
    if (!isForeign(world, paymentId)) world.wrong("a dispute is notified", "no message");
  }
}

/** Nothing that is due is left undone, and no event was given up. */
function stuck({ world }: Case): void {
  const late = world.clock.now - DAY;
  const due: Record<string, string> = {
    message: `SELECT kind || ' ' || coalesce(last_error, '') AS what FROM message WHERE next_try_at < ${late}`,
    refund: `SELECT state || ' ' || coalesce(last_error, '') AS what FROM refund WHERE next_try_at < ${late}`,
    order: `SELECT state || ' ' || coalesce(last_error, '') AS what FROM payment_order WHERE next_check_at < ${late}`,
    event: `SELECT kind || ' ' || coalesce(last_error, '') AS what FROM provider_event
      WHERE state = 'new' AND received_at < ${late - HOUR}`,
  };
  for (const [name, sql] of Object.entries(due)) {
    for (const { what } of world.db.allRaw<{ what: string }>(sql)) {
      world.wrong("no row is stuck", `${name}: ${what}`);
    }
  }
  const parked = "SELECT kind, payment_id, last_error FROM provider_event WHERE state = 'parked'";
  for (const event of world.db.allRaw<Record<string, string>>(parked)) {
    if (isForeign(world, event.payment_id ?? "")) continue;
    world.wrong("no row is stuck", `${event.kind} is parked: ${event.last_error}`);
  }
}

type PaymentRow = Selectable<PaymentTable>;

/** A payment as it stands in the world: what came in, what went back and what the bank took. */
export interface Money {
  paymentId: string;
  amountPaise: number;
  backPaise: number;
  takenPaise: number;
  keptPaise: number;
}

export interface Case {
  world: MoneyWorld;
  money: Map<string, Money>;
  payments: PaymentRow[];
  refunds: RefundRow[];
}

function caseOf(world: MoneyWorld): Case {
  const payments = world.db.allRaw<PaymentRow>("SELECT * FROM payment");
  return { world, money: moneyOf(world), payments, refunds: refundRows(world) };
}

/** Nobody can know of money on an order that the provider refuses to show. */
function isForeign(world: MoneyWorld, paymentId: string): boolean {
  const payment = world.books.payments.find((one) => one.paymentId === paymentId);
  return payment !== undefined && world.books.order(payment.orderId).isForeign;
}

/** Nor of what a person did, where the file was restored since. */
function isBeyond(world: MoneyWorld, paymentId: string): boolean {
  const isByHand =
    world.received.has(paymentId) || world.handedBack.some((one) => one.paymentId === paymentId);
  return isForeign(world, paymentId) || (world.restoredAt !== null && isByHand);
}

function moneyOf(world: MoneyWorld): Map<string, Money> {
  const { books, handedBack, received } = world;
  const money = new Map<string, Money>();
  const add = (paymentId: string, amountPaise: number, sentBack: number) => {
    const byHand = handedBack.filter((one) => one.paymentId === paymentId);
    const backPaise = sentBack + byHand.reduce((sum, one) => sum + one.amountPaise, 0);
    const takenPaise = books.takenOf(paymentId);
    const keptPaise = amountPaise - backPaise - takenPaise;
    money.set(paymentId, { paymentId, amountPaise, backPaise, takenPaise, keptPaise });
  };
  const isMoney = ({ capturedAt, orderId }: BookedPayment) =>
    capturedAt !== null && !books.order(orderId).isForeign;
  for (const payment of books.payments.filter(isMoney)) {
    add(payment.paymentId, payment.amountPaise, payment.refundedPaise);
  }
  for (const [paymentId, amountPaise] of received) add(paymentId, amountPaise, 0);
  return money;
}

function judgePapers({ world, money, payments }: Case): void {
  const bookings = world.db.allRaw<{ id: string }>(
    "SELECT DISTINCT appointment_id AS id FROM document ORDER BY serial",
  );
  const documents = bookings.flatMap(({ id }) => listDocumentsOf(world.db, id));
  const invoices = documents.filter(({ kind }) => kind === "invoice");
  for (const { payment_id, outcome } of payments) {
    const own = invoices.filter(({ paymentId }) => paymentId === payment_id);
    const expected = outcome === "applied" || outcome === "assigned" ? 1 : 0;
    if (own.length !== expected) {
      world.wrong("one invoice a payment that pays", `${outcome}: ${own.length} invoices`);
    }
  }
  for (const { paymentId, totalPaise } of invoices) {
    const notes = documents.filter(
      (one) => one.kind === "credit_note" && one.paymentId === paymentId,
    );
    const credited = notes.reduce((sum, note) => sum + note.totalPaise, 0);
    if (credited > totalPaise) {
      world.wrong("credit notes are never above their invoice", `${credited} of ${totalPaise}`);
    }
    const one = money.get(paymentId);
    const made = world.books.refundsOf(paymentId);
    // Of an assigned payment what had left before is no part of the invoice.
    const isWhole = one?.amountPaise === totalPaise;
    if (one && isWhole && made.every(({ status }) => status !== "failed")) {
      if (credited !== one.backPaise) {
        world.wrong("credit notes say what went back", `${credited} noted, ${one.backPaise} back`);
      }
    }
    for (const note of notes) {
      // A note that was issued before its refund failed, or one of the dashboard in its place, stands.
      const wasAccepted = made.some(
        ({ receipt, status, amountPaise }) =>
          receipt === note.refundId ||
          (receipt === null && status === "failed" && amountPaise === note.totalPaise),
      );
      const byHand =
        !wasAccepted && world.handedBack.some(({ refundId }) => refundId === note.refundId);
      const facts = documentFacts(note);
      if (byHand && /back the way it was paid/.test(facts.paid.join(" "))) {
        world.wrong("a credit note says how it went back", "by hand, and says as it was paid");
      }
    }
  }
}

function judgePages(about: Case): void {
  const { world, payments } = about;
  for (const row of rowsOf(world)) {
    const facts = world.bookings.get(row.id);
    const own = payments.filter(({ appointment_id }) => appointment_id === row.id);
    if (!facts || facts.isErased) continue;
    if (own.some(({ payment_id }) => isForeign(world, payment_id))) continue;
    judgePage(about, facts);
    const { db } = world.processes[0]!.deps;
    const offered = refundOnCancel(db, findAppointment(db, row.id)!);
    const pays = own.find(({ outcome }) => outcome === "applied" || outcome === "assigned");
    const kept = about.money.get(pays?.payment_id ?? "")?.keptPaise ?? 0;
    if (isPaidRow(row) && offered !== kept) {
      world.wrong("what is offered back is what is kept", `${offered} offered, ${kept} kept`);
    }
  }
}

function judgePage({ world, money, payments }: Case, facts: BookingFacts): void {
  const { deps } = world.processes[0]!;
  const page = readBookingPage(deps, facts.id)!;
  const view = bookingView(page, deps.env, { now: world.clock.now, reason: null, done: null });
  const wrong = (what: string) => world.wrong("what is shown at last is true", `the page: ${what}`);
  if (/no longer free|after the session/.test(view.cancelReason ?? "") && facts.cancelled) {
    wrong("nobody cancelled it");
  }
  const by = facts.cancelled?.by;
  if (/We cancelled/.test(view.cancelReason ?? "") && by !== "business") wrong("we cancelled");
  if (/You cancelled/.test(view.cancelReason ?? "") && by !== "customer") wrong("you cancelled");
  const stamp = view.pass.stamp?.text ?? "";
  if (/refund|paid back/.test(stamp) && facts.cancelled?.wasPaid) {
    if (facts.cancelled.backPaise === 0) wrong("the stamp names a refund that is not its own");
  }
  const own = payments.filter(({ appointment_id }) => appointment_id === facts.id);
  const of = own.flatMap(({ payment_id }) => money.get(payment_id) ?? []);
  const kept = of.reduce((sum, { keptPaise }) => sum + keptPaise, 0);
  const said = view.money?.sums.find(({ label }) => label === "Kept")?.value;
  if (said !== undefined && paiseOf(said) !== kept) wrong(`kept ${said}, and ${kept} paise are`);
  const ids = own.map(({ payment_id }) => payment_id);
  const left = [
    ...world.books.refunds.filter(
      ({ paymentId, status }) => ids.includes(paymentId) && status === "processed",
    ),
    ...world.handedBack.filter(({ paymentId }) => ids.includes(paymentId)),
  ].map(({ amountPaise }) => amountPaise);
  for (const sentence of view.money?.refunds ?? []) {
    const [, amount = "0"] = /(₹[\d,.]*\d)/.exec(sentence) ?? [];
    const isDone = /^Razorpay has sent |^We have paid /.test(sentence);
    const isNone = /did not go|^Your bank has returned /.test(sentence);
    const isKept = sentence.startsWith("There is no refund, because") && kept > 0;
    const at = left.indexOf(paiseOf(amount));
    if (isDone && at >= 0) left.splice(at, 1);
    else if (!isNone && !(isKept && facts.cancelled?.backPaise === 0)) wrong(`“${sentence}”`);
  }
  if (left.length > 0 && left.some((paise) => paise > 0)) wrong("not all that went back is shown");
}
