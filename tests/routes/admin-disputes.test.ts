/** A dispute from the provider's dashboard to the admin's pages, calls and mail. */
import { beforeAll, expect, it } from "vitest";
import { monthOf } from "#app/model/month.ts";
import { type AdminApi, adminOf, bookAndPay, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
let admin: AdminApi;
beforeAll(async () => {
  admin = await adminOf(app);
});

async function textOf(path: string): Promise<string> {
  const headers = { Cookie: sessionCookie(admin.token), Accept: "text/html" };
  const { text } = await app.api(path, { headers });
  return text
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->|<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

it("is shown and warned of while it is open, and counted once it is lost", async () => {
  const date = dayAhead(17);
  const { id, paymentId } = await bookAndPay(app, { date });
  const { desk, ledger, mailbox } = app.sandbox;
  const dispute = desk.openDispute(ledger.requirePayment(paymentId));
  const told = async () => (await admin(`/appointments/${id}`)).data.payments[0].dispute;
  await eventually(async () => expect((await told())?.status).toBe("open"));
  expect(await told()).toEqual({
    ...{ phase: "chargeback", status: "open", amount: 1179 },
    respondBy: new Date(dispute.respond_by * 1000).toISOString(),
  });
  const open = "Disputed: the customer's bank asks for the money back (chargeback)";
  expect(await textOf(`/admin/appointments/${id}`)).toContain(open);
  for (const dialog of ["cancel", "refund"]) {
    const page = await textOf(`/admin/appointments/${id}/${dialog}`);
    expect(page, dialog).toContain("bank disputes ₹1,179.00 of this payment");
  }
  const subject = "A customer's bank disputes ₹1,179.00";
  expect(await mailbox.waitFor({ to: app.env.BUSINESS_EMAIL!, subject })).toHaveLength(1);

  desk.moveDispute(dispute, { status: "lost" });
  await eventually(async () => expect((await told())?.status).toBe("lost"));
  expect(await textOf(`/admin/appointments/${id}`)).toMatch(
    /Taken back by the bank ₹1,179\.00 Kept ₹0\.00/,
  );
  expect(await textOf(`/admin/appointments/${id}/cancel`)).not.toContain("bank disputes");
  const { from, to, value } = monthOf(date);
  const { data } = await admin(`/insights?${new URLSearchParams({ from, to })}`);
  expect(data.months).toMatchObject([{ month: value, revenue: 0, refunded: 0, takenBack: 1179 }]);
  expect(await textOf(`/admin/insights?from=${from}&to=${to}`)).toContain(
    "₹1,179 was taken back by banks",
  );
  const refused = await admin(`/appointments/${id}/refund`, {
    json: { amount: 1, reason: "x" },
  });
  expect([refused.httpStatus, Object.keys(refused.errors ?? {})]).toEqual([400, ["amount"]]);
});
