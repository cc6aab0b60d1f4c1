/** What staff do: book, take money, move, hand over, cancel, give back, correct, delete, erase. */
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { cancelAppointment, refundPart } from "#app/booking/cancel-and-refund.server.ts";
import { changeCaptain } from "#app/booking/captains.server.ts";
import type { CancelRequest, StaffBooking } from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import { deleteAppointment, editContact } from "#app/booking/edit-appointment.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { changePackage } from "#app/catalogue/change-catalogue.server.ts";
import { COUNSELORS } from "#app/catalogue.ts";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, DAY, dateInIndia, HOUR } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import {
  ADMIN,
  addBooking,
  type BookingRow,
  factsOf,
  isPaidRow,
  isStuck,
  type Move,
  pickBooking,
  pickPerson,
  pickTime,
  refundRows,
  requestOf,
} from "./money-picks.ts";
import type { MoneyWorld } from "./money-world.ts";

/** Notes how it went; null if there is no answer or a refusal. */
function answered<T>(world: MoneyWorld, what: string, outcome: Outcome<T>): T | null {
  world.note(`staff ${what}: ${outcome.ok ? "done" : outcome.code}`);
  return outcome.ok ? outcome.value : null;
}

const short = ({ id }: { id: string }) => id.slice(-6);

function receive(world: MoneyWorld, { paymentId, price }: Appointment): void {
  if (paymentId !== null) world.received.set(paymentId, price.totalPaise);
}

const LONGEST_LINK = 7 * DAY - HOUR;

export const bookWithLink: Move = async (world, { deps }) => {
  const { dice, clock } = world;
  const person = pickPerson(world);
  const span = dice.pick([HOUR, 20 * HOUR, 3 * DAY, LONGEST_LINK, LONGEST_LINK, LONGEST_LINK]);
  const date = addDays(dateInIndia(clock.now + span), dice.between(1, 3));
  const link = { by: "link", ...(dice.often(0.8) && { payBefore: clock.now + span }) };
  const input = { ...requestOf(world, person), date, payment: link } as StaffBooking;
  const made = bookForCustomer(deps, ADMIN, input);
  const booked = answered(world, `book-with-link for ${person.name} on ${date}`, made);
  if (booked) addBooking(world, booked.id, person);
};

export const bookPaid: Move = async (world, { deps }) => {
  const person = pickPerson(world);
  const payment = { by: "offline", method: world.dice.pick(["cash", "upi"]) };
  const input = { ...requestOf(world, person), payment } as StaffBooking;
  const made = bookForCustomer(deps, ADMIN, input);
  const booked = answered(world, `book-paid for ${person.name}`, made);
  if (!booked) return;
  addBooking(world, booked.id, person);
  receive(world, booked);
};

export const markPaid: Move = async (world, { deps }) => {
  const row = pickBooking(world, ({ status }) => status === "pending_payment");
  if (!row) return;
  const done = markPaidOutside(deps, ADMIN, row.id, { method: "cash" });
  const paid = answered(world, `mark-paid ${short(row)}`, done);
  if (paid) receive(world, paid);
};

export const move: Move = async (world, { deps }) => {
  const row = pickBooking(world, ({ status }) => status !== "cancelled");
  if (!row) return;
  const { counselor: _, ...time } = pickTime(world);
  // To its own time its link would be asked for again.
  if (time.date === row.on_date && time.timeSlot === row.time_slot) return;
  answered(world, `move ${short(row)}`, rescheduleAppointment(deps, ADMIN, row.id, time));
};

/** To the other captain, at the same time or another. */
export const handOver: Move = async (world, { deps }) => {
  const row = pickBooking(world, isPaidRow);
  if (!row) return;
  const { name: counselor } = COUNSELORS.find(({ key }) => key !== row.counselor_key)!;
  const { date, timeSlot } = world.dice.often(0.6)
    ? { date: row.on_date, timeSlot: row.time_slot }
    : pickTime(world);
  const done = rescheduleAppointment(deps, ADMIN, row.id, { date, timeSlot, counselor });
  answered(world, `hand-over ${short(row)}`, done);
};

export const cancel: Move = async (world, { deps }) => {
  const { dice } = world;
  const row = pickBooking(world, isPaidRow);
  if (!row) return;
  const isLate = row.starts_at < world.clock.now + DAY;
  const amount = Math.max(100, Math.round(row.kept_paise * dice.pick([0.2, 0.5, 0.8])));
  const less = dice.pick<CancelRequest["refund"]>(["none", "none", { amount }]);
  const refund = isLate && dice.often(0.75) ? less : "full";
  const input = dice.often(isLate ? 0.25 : 0.6)
    ? { by: "business" as const, reason: "The captain flies" }
    : { by: "customer" as const, refund };
  const done = cancelAppointment(deps, ADMIN, row.id, input);
  const how = input.by === "business" ? "by us" : typeof refund === "string" ? refund : "part";
  const cancelled = answered(world, `cancel-${how} ${short(row)}`, done);
  if (!cancelled) return;
  const all = input.by === "business" || refund === "full";
  const backPaise = all ? "all" : refund === "none" ? 0 : amount;
  // It may have been paid since it was picked.
  const wasPaid = cancelled.appointment.paymentId !== null;
  factsOf(world, row.id).cancelled = { by: input.by, wasPaid, backPaise };
};

export const giveBackPart: Move = async (world, { deps }) => {
  const { dice } = world;
  const row = pickBooking(world, ({ kept_paise }) => kept_paise > 0);
  if (!row) return;
  const parts = [50_000, 68_000, Math.round(row.kept_paise / 2), row.kept_paise];
  const input = { amount: Math.max(100, dice.pick(parts)), reason: "The captain came late" };
  const done = refundPart(deps, ADMIN, row.id, input);
  const refund = answered(world, `give-back ${input.amount} of ${short(row)}`, done);
  if (refund) factsOf(world, row.id).partsPaise += refund.amountPaise;
};

export const correct: Move = async (world, { deps }) => {
  const row = pickBooking(world, ({ status }) => status !== "cancelled");
  if (!row) return;
  const number = world.trace.length;
  const email = `corrected.${number}@example.in`;
  const input = world.dice.often(0.7) ? { email } : { name: `Corrected ${number}` };
  const done = editContact(deps, ADMIN, row.id, input);
  if (!answered(world, `correct ${short(row)}`, done)) return;
  const facts = world.bookings.get(row.id);
  if (facts && "email" in input) facts.person.email = email;
};

export const remove: Move = async (world, { deps }) => {
  const row = pickBooking(world, ({ status }) => status !== "confirmed");
  if (!row) return;
  const done = deleteAppointment(deps, ADMIN, row.id);
  answered(world, `delete ${row.status} ${short(row)}`, done);
};

export const erase: Move = async (world, { deps }) => {
  const { email } = pickPerson(world);
  const id = findCustomerId(deps.db, email);
  if (id === null) return;
  const rows = world.db.allRaw<BookingRow>(
    "SELECT * FROM appointment WHERE lower(email) = lower(?)",
    [email],
  );
  const owed = refundRows(world).filter(
    (refund) => isStuck(refund) && rows.some((row) => row.id === refund.appointment_id),
  );
  if (!answered(world, `erase ${email}`, eraseCustomer(deps, ADMIN, id))) return;
  for (const row of rows) factsOf(world, row.id).isErased = true;
  if (owed.length > 0) world.wrong("nobody is erased who is owed money", `${owed.length} refunds`);
};

export const changePrice: Move = async (world, { deps }) => {
  const minutes = world.dice.pick([30, 45, 60]);
  const price = world.dice.pick([499, 999, 1299, 1999]);
  answered(
    world,
    `price of ${minutes} is ₹${price}`,
    changePackage(deps, ADMIN, minutes, { price }),
  );
};

export const changeMeeting: Move = async (world, { deps }) => {
  const { key } = world.dice.pick(COUNSELORS);
  const url = `https://meet.example/${key}-${world.dice.between(1, 9)}`;
  const done = changeCaptain(deps, ADMIN, key, { meeting: { kind: "link", url } });
  answered(world, `meeting of ${key}`, done);
};
