import { beforeAll, describe, expect, it } from "vitest";
import { pdfResponse } from "#app/http/file-response.server.ts";
import { type AdminApi, adminOf, bookAndPay, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp({ env: { RATE_LIMIT: "off" } });
let admin: AdminApi;
let id: string;
beforeAll(async () => {
  admin = await adminOf(app);
  ({ id } = await bookAndPay(app, { date: dayAhead(20) }));
});

const invoice = (method = "GET") => fetch(`${app.origin}/api/invoice/${id}`, { method });

describe("a rush for one document", () => {
  it("costs one rendering, and no export waits for it", async () => {
    const rush = Array.from({ length: 400 }, () => invoice());
    const [exported, ...answers] = await Promise.all([admin("/export"), ...rush]);
    expect(exported.httpStatus).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const bodies = await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect(new Set(bodies.map(({ byteLength }) => byteLength)).size).toBe(1);
  });

  it("renders nothing for who asks for the head alone", async () => {
    const documents = {
      renderDocument: () => Promise.reject(new Error("rendered")),
    } as unknown as Parameters<typeof pdfResponse>[0]["documents"];
    const head = await pdfResponse({ documents }, { method: "HEAD" }, ledgerRow());
    expect(head.headers.get("content-type")).toBe("application/pdf");
    await expect(pdfResponse({ documents }, { method: "GET" }, ledgerRow())).rejects.toThrow();
    const { status, headers } = await invoice("HEAD");
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });

  it("writes no export into the log for a head, on the page as in the call", async () => {
    const exports = () => app.db.allRaw(`SELECT 1 FROM activity WHERE action = 'export'`).length;
    const before = exports();
    for (const path of ["/api/admin/export", "/admin/export", "/admin/documents/month"]) {
      const answer = await fetch(app.origin + path, {
        method: "HEAD",
        headers: { Authorization: `Bearer ${admin.token}` },
        redirect: "manual",
      });
      expect([path, answer.status]).toEqual([path, 200]);
    }
    expect(exports()).toBe(before);
  });
});

describe("several refunds of one payment", () => {
  it("are all told, each with the provider's id, its credit note and its sum", async () => {
    const { id, paymentId } = await bookAndPay(app, { date: dayAhead(21) });
    const other = await bookAndPay(app, { date: dayAhead(22) });
    const payment = app.sandbox.ledger.requirePayment(paymentId);
    const told = () => admin(`/appointments/${id}`).then(({ data }) => data);
    // One after the other: their order is that in which we heard of them.
    const refund = async (amount: number, notes: number) => {
      const made = app.sandbox.desk.create(payment, { amount });
      await eventually(async () => expect((await told()).creditNotes).toHaveLength(notes));
      return made;
    };
    const first = await refund(20_000, 1);
    const second = await refund(30_050, 2);
    const { payments, creditNotes, creditNote } = await told();
    expect(payments[0].refunds).toMatchObject([
      { providerRefundId: first.id, amount: 200, status: "processed" },
      { providerRefundId: second.id, amount: 300.5, status: "processed" },
    ]);
    expect(payments[0].refund).toEqual(payments[0].refunds[1]);
    const refundIds = payments[0].refunds.map((refund: { refundId: string }) => refund.refundId);
    expect(creditNotes).toMatchObject([
      { refundId: refundIds[0], amount: 200 },
      { refundId: refundIds[1], amount: 300.5 },
    ]);
    expect(creditNote).toEqual(creditNotes[1]);

    const note = async (of: string, query = "") => {
      const answer = await fetch(`${app.origin}/api/credit-note/${of}${query}`);
      return answer.ok ? pdfText(Buffer.from(await answer.arrayBuffer())) : answer.status;
    };
    const [older, newer] = creditNotes.map(({ number }: { number: string }) => number);
    expect(await note(id, `?refund=${refundIds[0]}`)).toContain(older);
    expect(await note(id, `?refund=${refundIds[1]}`)).toContain(newer);
    expect(await note(id)).toContain(newer);
    expect(await note(id, "?refund=nothing")).toBe(404);
    expect(await note(other.id, `?refund=${refundIds[0]}`)).toBe(404);

    const page = await fetch(`${app.origin}/admin/appointments/${id}`, {
      headers: { Cookie: sessionCookie(admin.token) },
    });
    const html = (await page.text()).replaceAll("<!-- -->", "");
    expect(html).toContain("Fee ₹23.58 and GST on it ₹4.24, net ₹1,151.18");
    for (const part of [first.id, second.id, older, newer]) expect(html).toContain(part);
  });
});
