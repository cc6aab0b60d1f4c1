/** What the booking's own page and the admin's say at last, held against what happened. */
import { readBookingPage } from "#app/booking/booking-page.server.ts";
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { bookingView } from "#app/routes/public/booking/booking-view.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { type Case, isForeign } from "./money-case.ts";
import type { BookingFacts } from "./money-facts.ts";
import { isPaidRow, rowsOf } from "./money-picks.ts";
import { paiseOf } from "./money-sentences.ts";

export function judgePages(about: Case): void {
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
    const at = left.indexOf(paiseOf(amount));
    if (isDone && at >= 0) left.splice(at, 1);
    else if (!isNone) wrong(`“${sentence}”`);
  }
  if (left.length > 0 && left.some((paise) => paise > 0)) wrong("not all that went back is shown");
}
