/** What visitors and customers do: book, pay, come back from paying, move and cancel. */
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { cancelOwnBooking, moveOwnBooking } from "#app/booking/self-service.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { rupeesOf } from "#app/model/money.ts";
import { bookOrMove, createOrder } from "#app/payments/create-order.server.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import type { BookedOrder, BookedPayment } from "./money-books.ts";
import type { Person } from "./money-facts.ts";
import {
  addBooking,
  type BookingRow,
  factsOf,
  type Move,
  pickBooking,
  pickPerson,
  pickTime,
  priceNow,
  requestOf,
  rowsOf,
  sameRequest,
} from "./money-picks.ts";
import { KEY_SECRET, type MoneyProcess } from "./money-process.ts";
import type { MoneyWorld } from "./money-world.ts";

/** Answers the booking's id, or null if there is none. */
async function post(
  world: MoneyWorld,
  process: MoneyProcess,
  person: Person,
  input: BookingInput,
  {
    hasCookie = true,
    packagePrice,
    isForm = false,
  }: { hasCookie?: boolean; packagePrice: number; isForm?: boolean },
): Promise<string | null> {
  const booked = await process.run((deps) =>
    bookOrMove(deps, input, {
      clientAddress: person.clientAddress,
      ownToken: hasCookie ? person.token : null,
      knowsPaid: true,
      packagePrice,
      isForm,
    }),
  );
  const { date, timeSlot, package: minutes, counselor } = input;
  const asked = `books ${counselor} ${date} ${timeSlot} ${minutes} min at ₹${packagePrice}`;
  if (!booked?.ok) {
    world.note(`${person.name} ${asked}: ${booked?.code ?? "no answer"}`);
    return null;
  }
  const { appointment, token, repeated } = booked.value;
  addBooking(world, appointment.id, person);
  if (hasCookie) person.token = token;
  world.note(`${person.name} ${asked}: ${appointment.id.slice(-6)}${repeated ? " again" : ""}`);
  if (rupeesOf(appointment.price.basePaise) !== packagePrice) {
    const held = rupeesOf(appointment.price.basePaise);
    world.wrong("what is shown is the price", `₹${packagePrice} shown, ₹${held} booked`);
  }
  return appointment.id;
}

async function order(world: MoneyWorld, process: MoneyProcess, id: string): Promise<void> {
  const made = await process.run((deps) => createOrder(deps, id));
  world.note(
    `order for ${id.slice(-6)}: ${made?.ok ? made.value.orderId : (made?.code ?? "none")}`,
  );
  if (!made?.ok) return;
  const { orderId, amountPaise } = made.value;
  const row = rowsOf(world).find((one) => one.id === id);
  const booked = world.books.order(orderId);
  if (booked.amountPaise !== amountPaise || (row && row.total_paise !== amountPaise)) {
    const sums = `${amountPaise} asked, ${booked.amountPaise} ordered, ${row?.total_paise} agreed`;
    world.wrong("what is asked for is the price", sums);
  }
  if (booked.bookingId !== id) world.wrong("an order is its booking's", orderId);
}

const isUnpaid = ({ status }: BookingRow) => status === "pending_payment";

/** The form is posted: another request, the same again, or with a price that is not today's. */
export const book: Move = async (world, process) => {
  const { dice } = world;
  const person = pickPerson(world);
  const own = rowsOf(world).filter((row) => isUnpaid(row) && row.email === person.email);
  const again = own.length > 0 && dice.often(0.35) ? dice.pick(own) : null;
  const input = again ? sameRequest(again, person) : requestOf(world, person);
  const { package: minutes } = input;
  if (!person.prices.has(minutes) || dice.often(0.6)) {
    person.prices.set(minutes, priceNow(world, minutes));
  }
  const agreed = again ? rupeesOf(again.base_paise) : person.prices.get(minutes)!;
  const shown = dice.weighted({ agreed: 60, page: 36, nonsense: 4 });
  const prices = { agreed, page: person.prices.get(minutes)!, nonsense: 1 };
  const id = await post(world, process, person, input, { packagePrice: prices[shown] });
  if (id !== null && dice.often(0.85)) await order(world, process, id);
};

/** A form sent twice, from a page without scripts whose cookie is not set yet. */
export const submitTwice: Move = async (world, process) => {
  const person = pickPerson(world);
  const input = requestOf(world, person);
  const packagePrice = priceNow(world, input.package);
  const submit = () =>
    post(world, process, person, input, { hasCookie: false, packagePrice, isForm: true });
  const first = await submit();
  const second = first === null ? null : await submit();
  // One that was paid, moved on or deleted in between is not the form's any more.
  const isOpen = rowsOf(world).some((row) => row.id === first && isUnpaid(row));
  if (isOpen && first !== second) {
    world.wrong("a form sent twice books once", second === null ? "refused" : "booked twice");
  }
  if (second !== null) await order(world, process, second);
};

export const openOrder: Move = async (world, process) => {
  const row = pickBooking(world, isUnpaid);
  if (row) await order(world, process, row.id);
};

/** Mostly the newest order of a booking, else an older one, or one that was paid. */
function pickOrder(world: MoneyWorld): BookedOrder | null {
  const { dice, books } = world;
  const unpaid = books.orders.filter(({ status }) => status !== "paid");
  const which = dice.weighted({ newest: 65, unpaid: 20, any: 15 });
  if (which === "newest" && unpaid.length > 0) return unpaid.at(-1)!;
  const from = which === "unpaid" && unpaid.length > 0 ? unpaid : books.orders;
  return from.length > 0 ? dice.pick(from) : null;
}

const COURSES = {
  captured: 52,
  captured_later: 10,
  authorized: 7,
  authorized_long: 5,
  fails: 9,
  silent: 5,
  late_yes: 5,
  twice: 7,
};

export const pay: Move = async (world) => {
  const { dice, books } = world;
  const chosen = pickOrder(world);
  if (!chosen) return;
  const owner = world.bookings.get(chosen.bookingId)?.person;
  const person = owner && dice.often(0.85) ? owner : pickPerson(world);
  const amount = dice.often(0.05)
    ? dice.pick([chosen.amountPaise - 10_000, chosen.amountPaise + 5_000])
    : chosen.amountPaise;
  const course = dice.weighted(COURSES);
  const { bookingId, orderId } = chosen;
  const { email, phone } = person;
  const begin = () => books.begin(orderId, amount, { email, phone });
  const payment = begin();
  world.note(
    `${person.name} pays ${amount} on ${orderId} of ${bookingId.slice(-6)}: ${course} ${payment.paymentId}`,
  );
  carry(world, payment, course);
  if (course === "twice") carry(world, begin(), "captured");
};

function carry(world: MoneyWorld, payment: BookedPayment, course: keyof typeof COURSES): void {
  const { dice, books } = world;
  const take = () => {
    books.authorize(payment);
    books.capture(payment);
  };
  const capture = () => payment.status === "authorized" && books.capture(payment);
  if (course === "captured" || course === "twice") take();
  if (course === "fails" || course === "late_yes") books.fail(payment);
  if (course === "late_yes") books.plan(dice.between(1, 60) * HOUR, take);
  if (course === "captured_later") {
    books.plan(dice.between(1, 8) * MINUTE, () => books.authorize(payment));
    books.plan(dice.between(9, 25) * MINUTE, capture);
  }
  if (course === "authorized") books.authorize(payment);
  if (course === "authorized_long") {
    books.authorize(payment, 25 * DAY);
    if (dice.often(0.6)) books.plan(dice.between(1, 20) * DAY, capture);
  }
}

/** The browser comes back from the checkout, now and then late or twice. */
export const verify: Move = async (world, process) => {
  const { dice, books } = world;
  const begun = books.payments.filter(({ status }) => status !== "created" && status !== "failed");
  if (begun.length === 0) return;
  const payment = dice.often(0.6) ? begun.at(-1)! : dice.pick(begun);
  const { orderId, paymentId } = payment;
  const signature = signedBy(KEY_SECRET, `${orderId}|${paymentId}`);
  const appointmentId = books.order(orderId).bookingId;
  const claim = { orderId, paymentId, signature, appointmentId };
  const verified = await process.run((deps) => verifyPayment(deps, claim));
  const code = verified?.ok ? "seen" : (verified?.code ?? "no answer");
  world.note(`the browser returns with ${paymentId}: ${code}`);
  if (verified?.ok !== false || !/pay again/i.test(verified.message)) return;
  const status = rowsOf(world).find(({ id }) => id === appointmentId)?.status;
  if (status !== "pending_payment" && !/not pay again/.test(verified.message)) {
    world.wrong("every sentence is true", `the checkout asks to pay again while ${status}`);
  }
};

/** On its own page. */
function isChangeable({ clock }: MoneyWorld, { status, starts_at }: BookingRow): boolean {
  return status !== "cancelled" && starts_at > clock.now + DAY;
}

export const cancelOwn: Move = async (world, process) => {
  const row = pickBooking(world, (one) => isChangeable(world, one));
  if (!row) return;
  const claim = { email: row.email, clientAddress: "198.51.100.99" };
  const done = await process.run((deps) => cancelOwnBooking(deps, row.id, {}, claim));
  world.note(`the customer cancels ${row.id.slice(-6)}: ${done?.ok ? "done" : done?.code}`);
  if (!done?.ok) return;
  // Staff may have marked it as paid meanwhile.
  const wasPaid = done.value.appointment.paymentId !== null;
  factsOf(world, row.id).cancelled = { by: "customer", wasPaid, backPaise: "all" };
};

export const moveOwn: Move = async (world, process) => {
  const row = pickBooking(world, (one) => isChangeable(world, one));
  if (!row) return;
  const { date, timeSlot } = pickTime(world);
  const claim = { email: row.email, clientAddress: "198.51.100.99" };
  const done = await process.run((deps) => moveOwnBooking(deps, row.id, { date, timeSlot }, claim));
  world.note(`the customer moves ${row.id.slice(-6)}: ${done?.ok ? date : done?.code}`);
};
