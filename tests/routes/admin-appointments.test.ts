import { describe, expect, it } from "vitest";
import { book, bookAndPay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { tablesWith } from "#tests/support/all-rows.ts";
import { daysFrom } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const nextDay = daysFrom(10);

const detail = async (id: string) => (await admin(`/appointments/${id}`)).data;
describe("one appointment", () => {
  it("shows payments, documents, messages and history", async () => {
    const { id, paymentId } = await bookAndPay(app, { date: nextDay() });
    await eventually(async () => {
      const { messages } = await detail(id);
      const mails = messages.filter((m: { channel: string }) => m.channel === "email");
      expect(mails.every((m: { state: string }) => m.state === "sent")).toBe(true);
    });
    const data = await detail(id);
    expect(data.appointment).toMatchObject({ id, status: "confirmed" });
    expect(data.appointment.version).toEqual(expect.any(Number));
    // The sandbox takes two per cent and 18 % GST on it, as Razorpay does.
    expect(data.payments).toEqual([
      {
        paymentId,
        source: "provider",
        method: "upi",
        receivedOn: null,
        // The sandbox gives each an RRN, as the bank of UPI does.
        reference: expect.stringMatching(/^\d{12}$/),
        fee: 23.58,
        feeTax: 4.24,
        net: 1151.18,
        amount: 1179,
        status: "captured",
        refunds: [],
      },
    ]);
    expect(data.invoice).toEqual({
      number: expect.stringMatching(/^AC\//),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect([data.creditNotes, data.creditNote]).toEqual([[], null]);
    expect(data.messages).toContainEqual({
      id: expect.any(String),
      kind: "booking_confirmed",
      channel: "email",
      state: "sent",
      attempts: 1,
      lastError: null,
    });
    expect(data.history).toEqual([]);
    const { appointment, ...beside } = data;
    expect(appointment).toMatchObject(beside);
  });
});

describe("PATCH", () => {
  it("changes the contact and nothing else, whatever is sent", async () => {
    const { id } = await book(app, { date: nextDay() });
    const rowOf = () => app.db.allRaw("SELECT * FROM appointment WHERE id = ?", [id])[0]!;
    const before = rowOf();
    const answer = await admin(`/appointments/${id}`, {
      method: "PATCH",
      json: {
        name: "Meera Pillai",
        status: "confirmed",
        id: UNKNOWN_ID,
        totalPaise: 1,
        packagePrice: 1,
        counselor: "rohan",
      },
    });
    expect(answer.status).toBe(200);
    const { name, version, updated_at, ...rest } = rowOf() as Record<string, unknown>;
    expect(name).toBe("Meera Pillai");
    expect(before).toMatchObject(rest);
  });

  it("refuses what the booking form refuses, and a stale version", async () => {
    const { id } = await book(app, { date: nextDay() });
    for (const [json, field] of [
      [{ name: "A" }, "name"],
      [{ phone: "12345" }, "phone"],
    ] as const) {
      const answer = await admin(`/appointments/${id}`, { method: "PATCH", json });
      expect([answer.status, Object.keys(answer.errors ?? {})]).toEqual([400, [field]]);
    }
    const stale = await admin(`/appointments/${id}`, {
      method: "PATCH",
      json: { name: "Somebody Else", version: 99 },
    });
    expect([stale.status, stale.code]).toEqual([409, "stale"]);
  });
});

describe("cancel", () => {
  const cancel = (id: string, json?: object) =>
    admin(`/appointments/${id}/cancel`, { method: "POST", ...(json ? { json } : {}) });

  it("refuses a second cancellation or move, and a stale version", async () => {
    const { id } = await bookAndPay(app, { date: nextDay() });
    const stale = await cancel(id, { version: 99 });
    expect([stale.status, stale.code]).toEqual([409, "stale"]);
    const answers = await Promise.all([cancel(id), cancel(id)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(await cancel(id)).toMatchObject({ status: 409, code: "already_cancelled" });
    const moved = await admin(`/appointments/${id}/reschedule`, {
      method: "PUT",
      json: { date: nextDay(), newTimeSlot: "10:00" },
    });
    expect([moved.status, moved.code]).toEqual([409, "already_cancelled"]);
    expect(app.db.allRaw("SELECT id FROM refund WHERE appointment_id = ?", [id])).toHaveLength(1);
  });
});

describe("DELETE", () => {
  it("removes the person everywhere and keeps the ledger", async () => {
    const date = nextDay();
    const { id, body, paymentId, orderId } = await bookAndPay(app, {
      date,
      name: "Quentin Unmistakable",
      notes: "my secret question",
    });
    const answer = await admin(`/appointments/${id}`, { method: "DELETE" });
    expect([answer.status, answer.data]).toEqual([200, { id }]);
    expect((await admin(`/appointments/${id}`)).status).toBe(404);
    const documents = app.db.allRaw<{ customer_name: string; payment_id: string }>(
      "SELECT * FROM document WHERE appointment_id = ?",
      [id],
    );
    expect(documents).toMatchObject([
      { customer_name: "Quentin Unmistakable", payment_id: paymentId },
    ]);
    for (const personal of [body.email, body.phone, "Unmistakable", "secret question"]) {
      const tables = tablesWith(app.db, personal).filter((name) => name !== "document");
      expect([personal, tables]).toEqual([personal, []]);
    }
    expect(app.db.allRaw("SELECT 1 FROM payment WHERE payment_id = ?", [paymentId])).toHaveLength(
      1,
    );
    // Money for the order of a deleted booking is never dropped.
    app.sandbox.pay(orderId, { outcome: "captured", force: true });
    await eventually(() =>
      expect(app.db.allRaw("SELECT 1 FROM payment WHERE outcome = 'unmatched'")).toHaveLength(1),
    );
  });
});
