/** One browser, one unpaid booking: another choice moves it, and never what is being paid. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readSlots } from "#app/availability/read-slots.server.ts";
import type { Booked } from "#app/booking/book-session.server.ts";
import type { BookingOrigin } from "#app/booking/booking-request.server.ts";
import { COUNSELORS, DEFAULT_TIMES } from "#app/catalogue.ts";
import { MINUTE } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { bookOrMove } from "#app/payments/create-order.server.ts";
import {
  type BookingBody,
  bookingBody,
  bookingInput,
  dayAhead,
  ROHAN,
} from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { BROKEN } from "#tests/support/razorpay-stub.ts";

const KEY = COUNSELORS[0]!.key;

const till = freshTill();
/** One browser with one person at it, and what its cookie holds. */
let token: string | null;
let person: Pick<BookingBody, "name" | "email" | "phone">;

beforeEach(() => {
  token = null;
  const { name, email, phone } = bookingBody();
  person = { name, email, phone };
});

const inputOf = (changes: Partial<BookingBody>) => bookingInput({ ...person, ...changes });

async function choose(
  changes: Partial<BookingBody> = {},
  origin: Partial<BookingOrigin> = {},
): Promise<Outcome<Booked>> {
  const asked = { clientAddress: "192.0.2.1", ownToken: token, ...origin };
  const booked = await bookOrMove(till.deps, inputOf(changes), asked);
  if (booked.ok) token = booked.value.token;
  return booked;
}

async function chosen(changes: Partial<BookingBody> = {}): Promise<string> {
  const booked = await choose(changes);
  if (!booked.ok) throw new Error(booked.code);
  return booked.value.appointment.id;
}

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? "ok" : outcome.code);
const row = (id: string) => till.rows("SELECT * FROM appointment WHERE id = ?", id)[0];
const isTaken = (date: string, timeSlot: string, ownHoldId = "") =>
  !readSlots(till.deps, {
    counselorKey: KEY,
    date,
    minutes: 30,
    ownHoldId,
  }).availableSlots.includes(timeSlot);

describe("changing one's mind", () => {
  it("ten times keeps one booking, refuses nothing and frees each old time at once", async () => {
    const id = await chosen({ timeSlot: DEFAULT_TIMES[0]!, date: dayAhead(20) });
    for (let change = 1; change <= 10; change += 1) {
      const before = row(id);
      const made = await chosen({
        timeSlot: DEFAULT_TIMES[change % 6]!,
        date: dayAhead(20 + change),
        package: [30, 45, 60][change % 3]!,
      });
      expect(made).toBe(id);
      expect(isTaken(before.on_date, before.time_slot)).toBe(false);
    }
    const same = { renewals: 0, status: "pending_payment" };
    expect(row(id)).toMatchObject({ ...same, on_date: dayAhead(30) });
    expect(till.rows("SELECT 1 FROM appointment WHERE email = ?", person.email)).toHaveLength(1);
    expect(till.rows("SELECT 1 FROM session_time WHERE appointment_id = ?", id)).toHaveLength(1);
    const lines = till.rows("SELECT after FROM activity WHERE target = ?", id);
    expect(lines.map(({ after }) => JSON.parse(String(after)).moves)).toEqual([10]);
  });

  it("takes the new captain, length, price, name and question", async () => {
    const id = await chosen({ notes: "one" });
    await chosen({ counselor: ROHAN, package: 60, name: "Meera P", notes: "two", state: "29" });
    expect(row(id)).toMatchObject({
      counselor_key: COUNSELORS[1]!.key,
      counselor_name: ROHAN,
      minutes: 60,
      total_paise: 176_900,
      name: "Meera P",
      notes: "two",
      state_code: "29",
    });
  });

  it("repeats the same request without another hold, moves nothing to a time that is taken, and may grow over its own", async () => {
    const id = await chosen();
    till.clock.now += MINUTE;
    const before = row(id);
    expect(await chosen()).toBe(id);
    till.book({ date: dayAhead(12), timeSlot: "11:00" });
    expect(codeOf(await choose({ date: dayAhead(12), timeSlot: "11:00" }))).toBe("slot_taken");
    expect(row(id)).toEqual(before);
    const { on_date: date, time_slot: time } = before;
    expect([isTaken(date, time), isTaken(date, time, id)]).toEqual([true, false]);
    expect(await chosen({ package: 60 })).toBe(id);
  });

  it("holds for two hours from the first choice, and then is a new booking", async () => {
    const id = await chosen({ date: dayAhead(11) });
    const { created_at: madeAt } = row(id);
    till.clock.now = madeAt + 20 * MINUTE;
    expect(await chosen({ date: dayAhead(40) })).toBe(id);
    till.clock.now = madeAt + 106 * MINUTE;
    const { on_date, time_slot } = row(id);
    expect(codeOf(await till.createOrder(id))).toBe("payment_window_over");
    expect(await chosen({ date: dayAhead(31) })).not.toBe(id);
    expect(isTaken(on_date, time_slot)).toBe(false);
  });
});

describe("while the held time is being paid", () => {
  it("nothing moves while a payment is under way or the provider does not say, and is not asked for a repeat", async () => {
    const id = await chosen();
    const before = row(id);
    const begun = Math.floor(till.clock.now / 1000) - 11 * 60;
    till.pay(await till.order(id), { status: "created", created_at: begun });
    expect(codeOf(await choose({ timeSlot: "14:00" }))).toBe("payment_under_way");
    till.razorpay.instead = (call) => (call.endsWith("/payments") ? BROKEN : undefined);
    expect(codeOf(await choose({ timeSlot: "14:00" }))).toBe("provider_unavailable");
    expect(row(id)).toEqual(before);
    expect(codeOf(await choose())).toBe("ok");
    till.razorpay.instead = () => undefined;
    // It was begun long ago by then.
    till.clock.now += 2 * MINUTE;
    expect(await chosen({ timeSlot: "14:00" })).toBe(id);
    expect(row(id).time_slot).toBe("14:00");
  });

  it("a payment from before the change confirms the booking, and the page says so before it books anew", async () => {
    const id = await chosen();
    till.pay(await till.order(id));
    const answer = await choose({ timeSlot: "14:00" }, { knowsPaid: false });
    expect(codeOf(answer)).toBe("already_paid");
    expect(row(id)).toMatchObject({ status: "confirmed", time_slot: "10:00" });
    // The form says by now that it is paid; of its own time there is no second session.
    expect(codeOf(await choose({}, { knowsPaid: true }))).toBe("already_paid");
    expect(codeOf(await choose())).toBe("slot_taken");
    expect(await chosen({ timeSlot: "14:00" })).not.toBe(id);
    expect(row(id)).toMatchObject({ status: "confirmed", time_slot: "10:00" });
  });
});

describe("another price", () => {
  it("closes the order, and money that still comes on it goes back", async () => {
    const id = await chosen();
    const old = await till.order(id);
    await chosen({ package: 60 });
    expect(till.rows("SELECT state FROM payment_order WHERE order_id = ?", old)).toEqual([
      { state: "closed" },
    ]);
    expect(till.page(id)!.payment.order).toBeNull();
    const stray = till.pay(old);
    await till.look();
    expect(till.rows("SELECT reason, amount_paise FROM refund")).toEqual([
      { reason: "wrong_amount", amount_paise: stray.amount },
    ]);
    expect(row(id).status).toBe("pending_payment");
    till.pay(await till.order(id));
    await till.look();
    expect(row(id)).toMatchObject({ status: "confirmed", minutes: 60 });
  });

  it("and the first one again is paid by either order", async () => {
    const id = await chosen();
    const old = await till.order(id);
    await chosen({ package: 60 });
    await till.order(id);
    await chosen({ package: 30 });
    till.pay(old);
    await till.look();
    expect(row(id)).toMatchObject({ status: "confirmed", minutes: 30 });
  });
});

const setPrice = (rupees: number) =>
  till.deps.db.runRaw("UPDATE package SET price_rupees = ? WHERE minutes = 30", [rupees]);
const totalOf = (id: string) => row(id).total_paise;

it.each([
  ["a call", (rupees: number) => ({ packagePrice: rupees })],
  ["the page", (rupees: number) => ({ shownTotal: Math.round(rupees * 1.18) })],
])(
  "a price that changed is refused where %s names another, its own goes on, and the present one moves it",
  async (_, naming) => {
    const id = await chosen();
    const old = await till.order(id);
    const before = row(id);
    setPrice(500);
    const message = expect.stringContaining("₹500 + GST = ₹590");
    expect(await choose({}, naming(1))).toMatchObject({ code: "price_changed", message });
    expect(row(id)).toEqual(before);
    const asked = till.razorpay.calls.length;
    expect((await choose({}, naming(999))).ok).toBe(true);
    expect([totalOf(id), await till.order(id)]).toEqual([117_900, old]);
    expect(till.razorpay.calls).toHaveLength(asked);
    const booked = await choose({}, naming(500));
    expect(booked).toMatchObject({ value: { appointment: { id, renewals: 0 } } });
    const order = await till.order(id);
    expect(till.rows("SELECT order_id, state, amount_paise FROM payment_order")).toEqual([
      { order_id: old, state: "closed", amount_paise: 117_900 },
      { order_id: order, state: "open", amount_paise: 59_000 },
    ]);
    expect(till.rows("SELECT words FROM activity WHERE target = ?", id)).toEqual([
      { words: expect.stringMatching(/^Session moved at .* IST: price from ₹1,179 to ₹590$/) },
    ]);
  },
);

it("the free-cancellation rule that changed is the present one where the form moves the booking", async () => {
  const set = (hours: number) => till.changeSettings({ selfServiceCutoffHours: hours });
  const hoursOf = (id: string) => till.booking(id).cutoffHours;
  set(48);
  const id = await chosen();
  set(24);
  expect([await chosen(), hoursOf(id)]).toEqual([id, 48]);
  expect([await chosen({ date: dayAhead(12) }), hoursOf(id)]).toEqual([id, 24]);
});

describe("a second person at the same browser", () => {
  const ARUN = { name: "Arun Nair", email: "arun@example.in", phone: "+919845099999" };

  it("gets a booking of their own, and may have the very time that was held", async () => {
    const id = await chosen();
    const second = await chosen(ARUN);
    expect(second).not.toBe(id);
    expect(row(id)).toMatchObject({ name: person.name, status: "pending_payment" });
    expect(till.page(id)!.payment.state).toBe("over");
    expect(till.page(second)!.payment.state).toBe("payable");
    // Back at the first one's link: it can be held again once the time is free.
    await chosen({ ...ARUN, timeSlot: "15:00" });
    expect(till.page(id)!.payment.state).toBe("renewable");
    expect(codeOf(await till.createOrder(id))).toBe("ok");
  });

  it("takes no time from what is being paid", async () => {
    const id = await chosen();
    till.pay(await till.order(id), { status: "authorized" });
    expect(codeOf(await choose({ ...ARUN }))).toBe("slot_taken");
    expect(await chosen({ ...ARUN, timeSlot: "15:00" })).not.toBe(id);
    expect(isTaken(dayAhead(10), "10:00")).toBe(true);
  });
});

describe("the token", () => {
  it("is no id, kept as a hash, stays while the browser's booking does, and is new with a new one", async () => {
    const id = await chosen();
    expect(token).not.toBe(id);
    expect(JSON.stringify(till.rows("SELECT * FROM own_booking"))).not.toContain(token);
    const first = token;
    await chosen({ timeSlot: "14:00" });
    expect(token).toBe(first);
    await chosen({ email: "other@example.in" });
    expect(token).not.toBe(first);
  });

  it("is counted as booked, repeated or refused, and one that nobody was given stands for nothing", async () => {
    const counted = vi.spyOn(till.deps.metrics, "booking");
    const id = await chosen();
    expect(await chosen()).toBe(id);
    token = id;
    expect(codeOf(await choose())).toBe("slot_taken");
    expect(counted.mock.calls).toEqual([["booked"], ["repeated"], ["slot_taken"]]);
    counted.mockRestore();
  });

  it("comes again with the answer to the same key, of a repeat too, which moves nothing", async () => {
    const first = { idempotencyKey: "once" };
    await choose({}, first);
    const { id } = till.rows("SELECT id FROM appointment")[0];
    const same = { value: { appointment: { id } } };
    token = null;
    expect(await choose({}, first)).toMatchObject(same);
    const origin = { idempotencyKey: "repeat" };
    expect(await choose({}, origin)).toMatchObject(same);
    expect(codeOf(await choose({ timeSlot: "14:00" }, origin))).toBe("idempotency_conflict");
    token = null;
    expect(await choose({}, origin)).toMatchObject(same);
    expect(await chosen({ timeSlot: "14:00" })).toBe(id);
  });
});
