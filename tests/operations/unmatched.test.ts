/** Whose money it may be: the payer is known while nobody has it, and likely bookings are offered. */
import { describe, expect, it } from "vitest";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { likelyBookings } from "#app/payments/unmatched.server.ts";
import { readErasure } from "#app/routes/admin/customers/customer-view.server.ts";
import { attentionView } from "#app/routes/admin/dashboard/attention-view.server.ts";
import { find } from "#app/routes/admin/find/find-view.server.ts";
import { soughtBookings, unmatchedView } from "#app/routes/admin/money/unmatched-view.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { eraseCustomer as eraseAddress } from "#db/queries/erasures.server.ts";
import { findPayment } from "#db/queries/payments.server.ts";
import { listMovements } from "#db/queries/settlements.server.ts";
import { UNKNOWN_ID } from "#tests/support/admin.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR, aboutRefund } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const EMAIL = "payer@example.in";

const till = moneyTill();

async function unmatched(changes: Partial<StubPayment> = {}): Promise<string> {
  const payer = { email: EMAIL, contact: "+919812345678" };
  const payment = till.pay(null, { ...payer, ...changes });
  await till.hearCaptured(payment);
  return payment.id;
}

const payerOf = (id: string) =>
  till.rows("SELECT payer_email, payer_phone FROM payment WHERE payment_id = ?", id)[0];
const likely = (id: string) =>
  likelyBookings(till.deps.db, findPayment(till.deps.db, id)!, till.clock.now).map(
    ({ appointment, isSameContact }) => [appointment.id, isSameContact],
  );
const KNOWN = { payer_email: EMAIL, payer_phone: "+919812345678" };
const NOBODY = { payer_email: null, payer_phone: null };

describe("the payer of an unmatched payment", () => {
  it("is kept until the payment is assigned or sent back, and in no log or event", async () => {
    const [first, second] = [await unmatched(), await unmatched()];
    const paidAt = Math.floor(till.clock.now / 1000) * 1000;
    expect(findPayment(till.deps.db, first)).toMatchObject({ paidAt });
    expect([payerOf(first), payerOf(second)]).toEqual([KNOWN, KNOWN]);
    expect((await till.assign(first, till.book())).ok).toBe(true);
    expect(payerOf(first)).toEqual(NOBODY);
    expect(payerOf(second)).toEqual(KNOWN);
    expect(till.refundUnmatched(second).ok).toBe(true);
    expect(payerOf(second)).toEqual(NOBODY);
    // An event of the provider brings it back to neither.
    for (const payment of till.razorpay.payments) {
      await till.hearCaptured(payment);
    }
    expect([payerOf(first), payerOf(second)]).toEqual([NOBODY, NOBODY]);
    const stored = ["activity", "provider_event", "message"].map((table) =>
      till.rows(`SELECT * FROM ${table}`),
    );
    expect(JSON.stringify(stored)).not.toContain(EMAIL);
  });

  it("is forgotten once nothing of it is left, sent back in the dashboard or lost to a bank", async () => {
    const [back, lost] = [await unmatched(), await unmatched()];
    const at = (id: string) => till.razorpay.payments.find((payment) => payment.id === id)!;
    await till.hear(till.refundInDashboard(at(back), 1));
    await till.hearDispute(at(lost), "open");
    expect([payerOf(back), payerOf(lost)]).toEqual([KNOWN, KNOWN]);
    await till.hear(till.refundInDashboard(at(back), WHOLE - 1));
    await till.hearDispute(at(lost), "lost");
    for (const payment of till.razorpay.payments) {
      await till.hearCaptured(payment);
    }
    expect([payerOf(back), payerOf(lost)]).toEqual([NOBODY, NOBODY]);
    const [failed] = till.razorpay.refunds.filter((refund) => refund.payment_id === back);
    failed!.status = "failed";
    at(back).amount_refunded -= failed!.amount;
    await till.tell("refund.failed", aboutRefund(failed!));
    expect(payerOf(back)).toEqual(KNOWN);
    await till.hear(till.refundInDashboard(at(back), failed!.amount));
    expect(payerOf(back)).toEqual(NOBODY);
    expect(unmatchedView(till.deps).map(({ isLeft }) => isLeft)).toEqual([false, false]);
    expect(till.refundUnmatched(back)).toMatchObject({ ok: true, value: { refund: null } });
  });

  it("is not kept of a payment that has its booking", async () => {
    const orderId = await till.order(till.book());
    const { id } = till.pay(orderId, { email: EMAIL });
    await till.look();
    expect(payerOf(id)).toEqual(NOBODY);
  });

  it("is nobody where the provider asked for no address", async () => {
    expect(payerOf(await unmatched({ email: "void@razorpay.com", contact: "" }))).toEqual(NOBODY);
  });

  it("is nobody once they are erased, whatever the provider still reports of earlier money", async () => {
    const known = await unmatched();
    const unreported = till.pay(null, { email: EMAIL.toUpperCase(), contact: "+919812345678" });
    till.clock.now += HOUR;
    eraseAddress(till.deps.db, EMAIL, till.clock.now);
    expect(payerOf(known)).toEqual(NOBODY);
    for (const payment of till.razorpay.payments) {
      await till.hearCaptured(payment);
    }
    expect([payerOf(known), payerOf(unreported.id)]).toEqual([NOBODY, NOBODY]);
    // Who pays again is known again.
    till.clock.now += HOUR;
    expect(payerOf(await unmatched())).toEqual(KNOWN);
  });

  it("is erased once the money is sent back or taken back, not before; another customer is erased at any time", async () => {
    const own = till.booking(till.book({ email: EMAIL }));
    const other = till.booking(till.book({ email: "other@example.in" }));
    till.clock.now = other.endsAt + DAY;
    const back = await unmatched({ email: EMAIL.toUpperCase() });
    // The number as it may have been typed.
    const taken = await unmatched({ contact: KNOWN.payer_phone.replace("+91", "0") });
    const idOf = (email: string) => findCustomerId(till.deps.db, email)!;
    const erase = ({ contact }: Appointment) =>
      eraseCustomer(till.deps, ADMIN_ACTOR, idOf(contact.email));
    const open = ({ contact }: Appointment) =>
      readErasure(till.deps, idOf(contact.email)).unmatched.map(({ words }) => words);
    expect([open(own), open(other)]).toEqual([["₹1,179.00, ₹1,179.00"], []]);
    expect(erase(own)).toMatchObject({ code: "in_use" });
    expect([payerOf(back).payer_phone, payerOf(taken)]).toEqual([KNOWN.payer_phone, KNOWN]);
    expect(erase(other)).toMatchObject({ ok: true });
    expect(till.refundUnmatched(back).ok).toBe(true);
    expect(erase(own)).toMatchObject({ code: "in_use" });
    await till.hearDispute(till.razorpay.payments.find(({ id }) => id === taken)!, "lost");
    expect(open(own)).toEqual([]);
    expect(erase(own)).toMatchObject({ ok: true });
    expect(payerOf(taken)).toEqual(NOBODY);
  });

  it.each([
    ["a number alone", "void@razorpay.com"],
    ["a number beside an address that nobody booked with", "payer@elsewhere.in"],
  ])(
    "known by %s keeps all who booked with it from being erased, and nobody else",
    async (_, email) => {
      const book = (who: string, phone: string) =>
        till.booking(till.book({ email: `${who}@example.in`, phone }));
      // A number of a family, as each of them writes it.
      const family = [book("ann", "98123 45678"), book("bob", "+91 98123-45678")];
      const stranger = book("stranger", "98123 45679");
      till.clock.now = stranger.endsAt + DAY;
      const id = await unmatched({ email, contact: "09812345678" });
      const idOf = ({ contact }: Appointment) => findCustomerId(till.deps.db, contact.email)!;
      const open = (one: Appointment) => readErasure(till.deps, idOf(one)).unmatched.length;
      const erase = (one: Appointment) => eraseCustomer(till.deps, ADMIN_ACTOR, idOf(one));
      expect([...family, stranger].map(open)).toEqual([1, 1, 0]);
      expect(family.map(erase)).toMatchObject([{ code: "in_use" }, { code: "in_use" }]);
      expect(erase(stranger)).toMatchObject({ ok: true });
      till.refundUnmatched(id);
      expect(family.map(open)).toEqual([0, 0]);
      expect(family.map(erase)).toMatchObject([{ ok: true }, { ok: true }]);
    },
  );
});

describe("likely bookings", () => {
  it("are unpaid, of the same price and to come: same contact first, then the nearest", async () => {
    const start = till.clock.now;
    const early = till.book({ email: "other@example.in" });
    till.clock.now = start + 20 * HOUR;
    const near = till.book({ email: "third@example.in", phone: "+919800000001" });
    const dear = till.book({ email: EMAIL, package: 60 });
    const { id: paid } = await till.bookAndPay({ email: EMAIL });
    till.clock.now = start + 21 * HOUR;
    const id = await unmatched();
    expect([dear, paid]).not.toContain(likely(id)[0]?.[0]);
    expect(likely(id)).toEqual([
      [near, false],
      [early, false],
    ]);
    till.clock.now = start + 5 * DAY;
    const sameEmail = till.book({ email: EMAIL.toUpperCase() });
    const samePhone = till.book({ email: "fourth@example.in", phone: "98123 45678" });
    till.book({ email: "too.late@example.in" });
    expect(likely(id)).toEqual([
      [sameEmail, true],
      [samePhone, true],
      [near, false],
      [early, false],
    ]);
  });

  it("are the five that can be paid, however many nearer ones cannot", async () => {
    const nearest = Array.from({ length: 6 }, () => till.booking(till.book({ email: EMAIL })));
    till.clock.now += 2 * HOUR;
    // Their time is another's by now.
    for (const { date, timeSlot } of nearest) till.bookByStaff({ date, timeSlot });
    const far = Array.from({ length: 6 }, () => till.book({ email: "other@example.in" }));
    const id = await unmatched();
    expect(likely(id)).toHaveLength(5);
    expect(far).toEqual(expect.arrayContaining(likely(id).map(([one]) => one)));
    till.clock.now += 200 * DAY;
    expect(likely(id)).toEqual([]);
  });
});

describe("money without a booking", () => {
  it("pays its booking by what is stored where the provider does not know the payment, if its time is free", async () => {
    const [id, pending, gone] = [await unmatched(), till.book(), till.book()];
    till.razorpay.payments.length = 0;
    till.clock.now += 2 * HOUR;
    const { date, timeSlot } = till.booking(gone);
    till.bookByStaff({ date, timeSlot });
    const message = expect.stringContaining("Please move it to another one first");
    expect(await till.assign(id, gone)).toMatchObject({ code: "slot_taken", message });
    const assigned = await till.assign(id, pending);
    expect(assigned).toMatchObject({ ok: true, value: { id: pending, status: "confirmed" } });
  });

  it("goes back once, less what went back before, and that is logged", async () => {
    const paymentId = await unmatched({ amount_refunded: 17_900 });
    const wakes = till.wakes();
    const back = { amountPaise: 100_000, state: "wanted", reason: "unmatched" };
    expect(till.refundUnmatched(paymentId)).toMatchObject({
      value: { refund: { ...back, appointmentId: null } },
    });
    expect(till.wakes()).toBe(wakes + 1);
    expect(till.logged()).toMatchObject([
      { action: "unmatched_refund", target: paymentId, after: { refund: 1000 } },
    ]);
    expect(till.refundUnmatched(paymentId)).toMatchObject({ code: "stale" });
    expect(till.refundUnmatched(UNKNOWN_ID)).toMatchObject({ code: "not_found" });
    expect(till.wakes()).toBe(wakes + 1);
  });

  it("pays one pending booking of its price, and nothing else", async () => {
    const { id: paid } = await till.bookAndPay();
    const [pending, cancelled] = [till.book(), till.book()];
    till.cancel(cancelled);
    till.deps.db.runRaw("DELETE FROM activity");
    const [whole, rest, more] = [
      await unmatched(),
      await unmatched({ amount_refunded: 1 }),
      await unmatched({ amount: WHOLE + 1, amount_refunded: 1 }),
    ];
    // Went back since, and no event reported it.
    till.refundInDashboard(till.razorpay.payments.find(({ id }) => id === whole)!, 1);
    const assign = async (paymentId: string, appointmentId: string) => {
      const assigned = await till.assign(paymentId, appointmentId);
      return assigned.ok ? assigned.value.status : assigned.code;
    };
    expect(await assign(UNKNOWN_ID, pending)).toBe("not_found");
    expect(await assign(rest, UNKNOWN_ID)).toBe("not_found");
    expect(await assign(rest, paid)).toBe("already_paid");
    expect(await assign(rest, cancelled)).toBe("already_cancelled");
    for (const less of [rest, whole]) expect(await assign(less, pending)).toBe("amount_mismatch");
    till.razorpay.instead = () => BROKEN;
    expect(await assign(more, pending)).toBe("provider_unavailable");
    till.razorpay.instead = () => undefined;
    expect(till.logged()).toEqual([]);
    expect(await assign(more, pending)).toBe("confirmed");
    expect(await assign(more, pending)).toBe("stale");
    expect(
      till.rows("SELECT outcome, appointment_id FROM payment WHERE payment_id = ?", more),
    ).toEqual([{ outcome: "assigned", appointment_id: pending }]);
    expect(till.logged()).toMatchObject([
      {
        action: "unmatched_assign",
        target: pending,
        before: { status: "pending_payment" },
        after: { status: "confirmed", paymentId: more },
      },
    ]);
  });

  it("is reached on the start page however much of it there is", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.push(await unmatched());
    const group = attentionView(till.deps, true).money.find(({ title }) =>
      /no booking/.test(title),
    )!;
    expect([group.title, group.moreWords]).toEqual([
      "5 payments belong to no booking",
      "and 2 more",
    ]);
    expect([...group.items, ...group.more].map(({ key }) => key)).toEqual(ids);
    expect(group.items).toHaveLength(3);
  });

  it("in another currency is shown in it, and is no rupee of the journal", async () => {
    const id = await unmatched({ currency: "USD", amount: 10_000 });
    const booked = till.booking(till.book());
    const dispute = till.disputeAtBank(till.razorpay.payments.at(-1)!);
    await till.tell("payment.dispute.created", { dispute: { entity: dispute } });
    const [shown] = unmatchedView(till.deps);
    const [sought] = soughtBookings(till.deps, id, booked.contact.email).bookings;
    const needsYou = () =>
      attentionView(till.deps, true).money.flatMap(({ items }) => items.map(({ text }) => text));
    const reach = { documents: true, unmatched: true };
    const found = find(till.deps, id, reach).payments.map(({ words }) => words);
    const mails = async () => (await till.messagesTo("admin")).map(({ text }) => text);
    const words = [shown?.amount, shown?.disputes[0]?.sum, ...needsYou(), ...found];
    words.push(...(await mails()));
    till.refundUnmatched(id);
    await till.sendRefused();
    words.push(...needsYou(), ...(await mails()));
    expect(words).toHaveLength(9);
    for (const text of words) {
      expect(text).toContain("$100");
      expect(text).not.toContain("₹");
    }
    expect(sought?.refusal).toBe("The payment is $100.00, the appointment costs ₹1,179.");
    expect(till.logged().map(({ action, after }) => [action, after])).toEqual([
      ["unmatched_refund", {}],
    ]);
    await till.retry(id);
    await till.sendRefunds();
    expect(till.refundLines()).toEqual(["provider pending 10000"]);
    expect(listMovements(till.deps.db, 0, till.clock.now + DAY)).toEqual([]);
  });
});
