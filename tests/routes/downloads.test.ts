import { beforeAll, describe, expect, it } from "vitest";
import { pdfResponse } from "#app/http/file-response.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";

const app = sharedApp({ env: { RATE_LIMIT: "off" } });
const admin = sharedAdmin(app);
let id: string;
beforeAll(async () => {
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

  it("renders nothing for a HEAD request", async () => {
    const documents = {
      renderDocument: () => Promise.reject(new Error("rendered")),
    } as unknown as Parameters<typeof pdfResponse>[0]["documents"];
    const head = await pdfResponse({ documents }, { method: "HEAD" }, ledgerRow());
    expect(head.headers.get("content-type")).toBe("application/pdf");
    await expect(pdfResponse({ documents }, { method: "GET" }, ledgerRow())).rejects.toThrow();
    const { status, headers } = await invoice("HEAD");
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });

  it("logs no export for a HEAD request, by page or by call", async () => {
    const exports = () => app.db.allRaw(`SELECT 1 FROM activity WHERE action = 'export'`).length;
    const before = exports();
    for (const path of ["/api/admin/export", "/admin/export", "/admin/documents/month"]) {
      const { httpStatus } = await app.api(path, { method: "HEAD", token: admin.token });
      expect([path, httpStatus]).toEqual([path, 200]);
    }
    expect(exports()).toBe(before);
  });
});

it("a calendar on the web is told neither of the person nor where the link was", async () => {
  const { text } = await app.api(`/booking/${id}`, { headers: { Accept: "text/html" } });
  const links = [...text.matchAll(/href="(https:[^"]*)" target="_blank" rel="([^"]*)"/g)];
  expect(links.map(([, to, rel]) => [new URL(to!).hostname, rel])).toEqual([
    ["calendar.google.com", "noopener noreferrer"],
    ["outlook.live.com", "noopener noreferrer"],
  ]);
  const { name, email, phone } = findAppointment(app.db, id)!.contact;
  for (const [, to] of links) {
    expect(decodeURIComponent(to!)).toContain("session with Capt. Asha Sample");
    for (const secret of [id, id.slice(-8), name, email, phone, app.origin]) {
      expect(decodeURIComponent(to!)).not.toContain(secret);
    }
  }
});
