/** What the booking's own page says of money that went back from the provider's dashboard. */
import { expect, it } from "vitest";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

const read = async (path: string) => (await app.api(path)).words;

it("names each refund and the sums, and promises no full refund any more", async () => {
  const { id, paymentId } = await bookAndPay(app, { date: dayAhead(9) });
  const page = () => read(`/booking/${id}`);
  expect(await page()).toContain("Free to move or cancel until");
  expect(await page()).not.toContain("Kept");
  const payment = app.sandbox.ledger.requirePayment(paymentId);
  app.sandbox.desk.create(payment, { amount: 20_000 });
  await eventually(async () =>
    expect(await page()).toContain("Razorpay has sent ₹200 to your bank."),
  );
  const part = await page();
  expect(part).toContain("Paid ₹1,179 Refund ₹200 Kept ₹979");
  expect(part).toContain("cancel it and get the other ₹979 back");
  expect(part).toContain("Download credit note");
  expect(part).not.toMatch(/full refund|in full|Free to move or cancel/);
  await (await adminOf(app))(`/appointments/${id}/cancel`, { method: "POST" });
  const notes = /href="\/api\/credit-note\/[^"]+"/g;
  await eventually(async () => {
    const links = (await app.api(`/booking/${id}`)).text.match(notes);
    expect(new Set(links).size).toBe(2);
  });
  const says = /Razorpay has sent ₹200.*₹979 .*Paid ₹1,179 Refund ₹1,179 Kept ₹0/;
  expect(await page()).toMatch(says);
  expect(await read(`/booking/${id}/cancel`)).toMatch(says);
});
