/** Money that people give back: in part, without cancelling, by hand. */
import { describe, expect, it } from "vitest";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import type { CancelRequest } from "#app/booking/change-fields.ts";
import { HOUR } from "#app/model/dates.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { appointmentDetailJson } from "#app/routes/api/admin/answers.ts";
import { isSend, WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const refunds = () => till.rows("SELECT * FROM refund ORDER BY rowid");
const notes = () =>
  till.rows(
    "SELECT -total_paise AS paise FROM document WHERE kind = 'credit_note' ORDER BY serial",
  );
const kept = (id: string) => till.keptOf(id);
const part = (id: string, amount: number, reason = "Left early") =>
  till.refundPart(id, { amount, reason });
const announced = () =>
  till.rows(
    "SELECT DISTINCT json_extract(data, '$.again') AS again FROM message WHERE kind = 'refund_under_way'",
  );
const settle = (id: string, reference?: string) => till.settle(id, { reference });
const mails = (kind: MessageKind) => till.queued(kind).length;

/** A session of tomorrow, so that the customer's own right to all of it has ended. */
async function lateSession() {
  const session = await till.bookAndPay();
  till.clock.now = till.booking(session.id).startsAt - 2 * HOUR;
  return session;
}

describe("a refund without cancelling", () => {
  it("goes back in parts, each with its credit note, and leaves the session", async () => {
    const { id } = await till.bookAndPay();
    expect(part(id, 50_000)).toMatchObject({ value: { amountPaise: 50_000, note: "Left early" } });
    expect(part(id, 50_000)).toMatchObject({ ok: true });
    expect(kept(id)).toBe(17_900);
    till.razorpay.isLost = isSend;
    await till.sendRefunds();
    till.razorpay.isLost = () => false;
    till.clock.now += HOUR;
    await till.sendRefunds();
    const made = till.razorpay.refunds.map((refund) => refund.id);
    expect(made).toHaveLength(2);
    expect(
      refunds()
        .map((row) => row.provider_refund_id)
        .toSorted(),
    ).toEqual(made.toSorted());
    expect(notes()).toHaveLength(2);
    expect(mails("refund_under_way")).toBe(2);
    expect(till.booking(id).status).toBe("confirmed");
  });

  it("keeps no word about a person once the appointment is deleted", async () => {
    const { id } = await till.bookAndPay();
    part(id, 500, "Meera was ill");
    till.deps.db.runRaw("UPDATE payment SET reference = 'meera@okbank'");
    till.delete(id);
    expect(refunds()).toMatchObject([{ amount_paise: 500, note: null }]);
    expect(till.rows("SELECT reference FROM payment")).toEqual([{ reference: null }]);
  });

  it("takes what the late customer left, and nothing where nothing was paid", async () => {
    const { id } = await lateSession();
    till.cancel(id, { by: "customer", refund: "none" });
    expect(part(id, WHOLE)).toMatchObject({ ok: true });
    expect(part(id, 100)).toMatchObject({ errors: { amount: [expect.any(String)] } });
    expect(part(till.book(), 100)).toMatchObject({ errors: { amount: [expect.any(String)] } });
  });
});

describe("cancelling", () => {
  const cancel = (id: string, how: Partial<CancelRequest>) => till.cancel(id, how);

  it("by the business gives all of it back, always", async () => {
    const { id } = await lateSession();
    for (const refund of ["none", { amount: 50_000 }] as const) {
      expect(cancel(id, { by: "business", refund })).toMatchObject({
        errors: { refund: [expect.any(String)] },
      });
    }
    part(id, 20_000);
    expect(cancel(id, { reason: "The captain flies" })).toMatchObject({
      value: {
        refund: { amountPaise: WHOLE - 20_000 },
        appointment: { cancelReason: "by_admin", cancelNote: "The captain flies" },
      },
    });
    expect(kept(id)).toBe(0);
  });

  it("for the customer keeps something only after the published cut-off", async () => {
    const early = await till.bookAndPay();
    const how = { by: "customer", refund: { amount: 50_000 } } as const;
    expect(cancel(early.id, how)).toMatchObject({ errors: { refund: [expect.any(String)] } });
    const { id } = await lateSession();
    expect(cancel(id, { by: "customer", refund: { amount: WHOLE - 50 } })).toMatchObject({
      errors: { amount: [expect.any(String)] },
    });
    expect(cancel(id, how)).toMatchObject({
      value: { refund: { amountPaise: 50_000 }, appointment: { cancelReason: "by_customer" } },
    });
    expect(kept(id)).toBe(WHOLE - 50_000);
  });
});

it("money that came in outside waits for a person, who marks it as paid back", async () => {
  const { id } = till.bookByStaff();
  till.cancel(id);
  const [refund] = refunds();
  expect(refund).toMatchObject({ state: "needs_person", next_try_at: null });
  expect(mails("admin_refund_needs_person")).toBe(1);
  expect(notes()).toEqual([]);
  expect(await till.retry(refund.id)).toMatchObject({
    code: "stale",
    message: expect.stringContaining("paid back by hand"),
  });
  expect(refunds()).toEqual([refund]);
  expect(await till.sendRefunds()).toBe(0);
  expect(await settle(refund.id, "Voucher 9")).toMatchObject({
    value: { state: "processed", reference: "Voucher 9" },
  });
  expect(notes()).toHaveLength(1);
  expect(mails("refund_under_way")).toBe(1);
  expect(announced()).toEqual([{ again: null }]);
  expect(await settle(refund.id)).toMatchObject({ code: "stale" });
  expect(till.razorpay.calls.filter((call) => call.includes("payments"))).toEqual([]);
  expect(kept(id)).toBe(0);
});

describe("a refund of the provider's", () => {
  async function stuck(answer?: typeof BROKEN) {
    const { id, payment } = await till.bookAndCancel();
    await till.sendRefused(answer);
    return { id, payment, refundId: refunds()[0].id as string };
  }

  it("that was refused is settled by hand, and never sent again", async () => {
    const { refundId } = await stuck();
    expect(refunds()[0]).toMatchObject({ state: "needs_person" });
    const settled = { value: { state: "processed" } };
    expect(await settle(refundId, "NEFT 4711")).toMatchObject(settled);
    // After trouble it is announced once more.
    expect(announced()).toEqual([{ again: 1 }]);
    till.clock.now += 24 * HOUR;
    expect(await till.sendRefunds()).toBe(0);
    expect(await till.retry(refundId)).toMatchObject({ code: "stale" });
    expect(refunds()).toMatchObject([{ state: "processed", way: "by_hand" }]);
    expect(await till.sendRefunds()).toBe(0);
    expect(till.razorpay.refunds).toEqual([]);
    expect(notes()).toHaveLength(1);
  });

  it("is refused while it may still be paid: wanted, sent, without an answer, or in hand", async () => {
    const { refundId } = await stuck(BROKEN);
    const { fault } = refunds()[0];
    const leaseUntil = till.clock.now + 1;
    for (const row of [
      ["needs_person", fault, null],
      ...["wanted", "sent", "pending"].map((state) => [state, "rejected", null]),
      ["failed", null, leaseUntil],
    ]) {
      till.deps.db.runRaw("UPDATE refund SET state = ?, fault = ?, lease_until = ?", row);
      expect(await settle(refundId), String(row)).toMatchObject({ code: "stale" });
    }
    expect(notes()).toEqual([]);
  });

  it("is refused while the provider cannot be read, and tried again after", async () => {
    const { refundId } = await stuck();
    const settling = till.whileProvider(
      () => BROKEN,
      () => settle(refundId),
    );
    expect(await settling).toMatchObject({ code: "stale" });
    expect(await settle("nobody")).toMatchObject({ code: "not_found" });
    expect(await settle(refundId)).toMatchObject({ ok: true });
  });

  it.each([
    ["it stands at the provider after all, as a new try finds", [WHOLE], "processed"],
    ["other money of it went back there, and a new try closes it", [100_000, 17_900], "superseded"],
  ])("is refused when %s", async (_, amounts, state) => {
    const { id, payment, refundId } = await stuck();
    for (const amount of amounts) till.refundInDashboard(payment, amount);
    expect(await settle(refundId)).toMatchObject({ code: "stale" });
    expect(await till.retry(refundId)).toMatchObject({ value: { state } });
    expect(refunds()[0]).toMatchObject({ state, settled_at: null });
    expect(await till.sendRefunds()).toBe(0);
    expect(notes()).toHaveLength(amounts.length);
    expect(kept(id)).toBe(0);
  });

  it("that the provider failed is settled once, whatever it reports later", async () => {
    await till.bookAndCancel();
    await till.sendRefunds();
    await till.hearFailed();
    const [refund] = refunds();
    expect(refund.state).toBe("failed");
    const [first, second] = await Promise.all([settle(refund.id), settle(refund.id)]);
    expect([first.ok, second.ok].sort()).toEqual([false, true]);
    await till.hear(till.razorpay.refunds[0]!);
    expect(refunds()[0]).toMatchObject({ state: "processed" });
    expect(notes()).toHaveLength(1);
  });

  it("is told again when it is settled, though a second try was told too", async () => {
    const { refundId } = await stuck();
    till.clock.now += 24 * HOUR;
    await till.sendRefunds();
    const ways = () => till.queued("refund_under_way").map(({ data }) => data.way);
    expect(ways()).toEqual(["provider"]);
    await till.hearFailed();
    expect(await settle(refundId, "NEFT 1")).toMatchObject({ ok: true });
    expect(ways()).toEqual(["provider", "by_hand"]);
  });
});

describe("two who act at once", () => {
  it("the second admin's form is stale after a part went back", async () => {
    const { id } = await till.bookAndPay();
    const { version } = till.booking(id);
    const input = { amount: 50_000, reason: "Left early", version };
    expect(till.refundPart(id, input)).toMatchObject({ ok: true });
    expect(till.refundPart(id, input)).toMatchObject({ code: "stale" });
    expect(till.cancel(id, { version })).toMatchObject({ code: "stale" });
    const after = { refund: 500, reason: "Left early" };
    expect(till.logged().slice(-1)).toMatchObject([{ action: "refund", target: id, after }]);
  });

  it("what was paid back by hand is not sent again by a later refund that is cut", async () => {
    const { id, payment } = await till.bookAndPay();
    part(id, 50_000);
    await till.sendRefused();
    expect(await settle(refunds()[0].id)).toMatchObject({ ok: true });
    till.refundInDashboard(payment, 60_000);
    till.cancel(id);
    till.razorpay.isStrict = true;
    await till.sendRefunds();
    const own = refunds().filter(({ way, counts }) => way !== "dashboard" && counts);
    expect(own.map((row) => [row.way, row.amount_paise])).toEqual([
      ["by_hand", 50_000],
      ["provider", WHOLE - 50_000 - 60_000],
    ]);
  });
});

it("of two refunds of one moment leave the one made last the newest", async () => {
  const { id, payment } = await till.bookAndPay();
  await till.hear(till.refundInDashboard(payment, 50_000));
  till.cancel(id);
  // What went back before stands behind by its id, not by its age.
  till.deps.db.runRaw("UPDATE refund SET id = '~' WHERE state = 'superseded'");
  const [paid] = appointmentDetailJson(readAppointmentDetail(till.deps, id)!).payments;
  expect(paid!.refunds).toHaveLength(3);
  expect(paid!.refund).toMatchObject({ status: "wanted", amount: 679 });
});
