/** Where the provider's hosted form leads back to: a post from its site, without our cookies. */
import { describe, expect, it } from "vitest";
import { book, makeOrder } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

let day = 20;
/** Books a time of its own and makes its order. */
async function ordered() {
  day += 1;
  const { id } = await book(app, { date: dayAhead(day) });
  const { data } = await makeOrder(app, id);
  return { id, orderId: data.orderId as string };
}

const rows = (sql: string, ...parameters: unknown[]) => app.db.allRaw(sql, parameters);

describe("the hosted form's return", () => {
  const post = (id: string, form: Record<string, string>) =>
    app.api(`/payments/callback?booking=${id}`, {
      form,
      headers: {
        Origin: "https://api.razorpay.com",
        "Sec-Fetch-Site": "cross-site",
      },
    });

  it("confirms and leads to the booking's page, again too", async () => {
    const { id, orderId } = await ordered();
    const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = app.sandbox.pay(
      orderId,
      { webhooks: false },
    );
    const proof = { razorpay_order_id, razorpay_payment_id, razorpay_signature };
    for (let i = 0; i < 2; i++) {
      const answer = await post(id, proof);
      expect(answer.led).toEqual([303, `/booking/${id}`]);
    }
    expect(rows("SELECT status FROM appointment WHERE id = ?", id)).toEqual([
      { status: "confirmed" },
    ]);
  });

  it("refuses a forged signature and another booking's order, and writes nothing", async () => {
    const { id, orderId } = await ordered();
    const other = await ordered();
    const { payment: _, ...proof } = app.sandbox.pay(orderId, { webhooks: false });
    const forged = { ...proof, razorpay_signature: "0".repeat(64) };
    const { razorpay_signature: __, ...unsigned } = proof;
    for (const [booking, form] of [
      [id, forged],
      [id, unsigned],
      [other.id, proof],
    ] as const) {
      const answer = await post(booking, form);
      expect(answer.led).toEqual([303, `/booking/${booking}?payment=unverified`]);
    }
    expect(rows("SELECT status FROM appointment WHERE id IN (?, ?)", id, other.id)).toEqual([
      { status: "pending_payment" },
      { status: "pending_payment" },
    ]);
    expect(rows("SELECT 1 FROM payment WHERE order_id = ?", orderId)).toEqual([]);
    expect(rows("SELECT 1 FROM document WHERE appointment_id = ?", id)).toEqual([]);
    // What the provider itself signed counts, after all the forged ones.
    expect((await post(id, proof)).headers.get("location")).toBe(`/booking/${id}`);
  });

  it("says that a payment failed, and does not know unknown bookings", async () => {
    const { id } = await ordered();
    const failed = await post(id, {
      "error[code]": "BAD_REQUEST_ERROR",
      "error[description]": "x",
    });
    expect(failed.headers.get("location")).toBe(`/booking/${id}?payment=failed`);
    const unknown = await post("abcdefghijkmnpqrstuvwxyz23", {});
    expect(unknown.httpStatus).toBe(404);
  });
});
