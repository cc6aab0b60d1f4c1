import { describe, expect, it } from "vitest";
import { formatDate } from "#app/model/dates.ts";
import { ASHA, bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

const book = (
  changes: Parameters<typeof bookingBody>[0] = {},
  headers: Record<string, string> = {},
) => app.api("/api/appointments", { json: bookingBody(changes), headers });

describe("GET /api/slots", () => {
  it("answers 400 for a captain, date or package that is none", async () => {
    for (const query of [
      "",
      `counselor=${ASHA}`,
      `counselor=${ASHA}&date=2026-02-30`,
      `counselor=${ASHA}&date=tomorrow`,
      `counselor=Nobody&date=${dayAhead(3)}`,
      `counselor=${ASHA}&date=${dayAhead(3)}&package=31`,
    ]) {
      const answer = await app.api(`/api/slots?${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.code).toBe("validation_failed");
      expect(answer.errors).toBeTruthy();
    }
  });
});

describe("POST /api/appointments", () => {
  it("answers the contract's appointment with its hold", async () => {
    const before = Date.now();
    const answer = await book({
      package: "45",
      date: dayAhead(11),
      notes: " Which medical first? ",
    });
    expect(answer.status).toBe(201);
    expect(answer.text).toMatch(/^{"status":"success"/);
    expect(answer.data).toMatchObject({
      counselor: ASHA,
      date: dayAhead(11),
      timeSlot: "10:00",
      package: 45,
      packagePrice: 1299,
      status: "pending_payment",
      meta: { notes: "Which medical first?" },
    });
    expect(answer.data.id).toMatch(/^[a-z0-9]{26}$/);
    expect(answer.data.phone).toMatch(/^\+9198450\d{5}$/);
    expect(answer.data.invoiceUrl).toBeUndefined();
    const pay = Date.parse(answer.data.payBefore) - before;
    const hold = Date.parse(answer.data.holdUntil) - before;
    expect(Math.round(pay / 60_000)).toBe(15);
    expect(Math.round(hold / 60_000)).toBe(30);
    expect(answer.data.payBefore).toMatch(/Z$/);
  });

  it("takes no field that is not the visitor's to set", async () => {
    const answer = await book({
      date: dayAhead(10),
      status: "confirmed",
      id: "abcdefghijkmnpqrstuvwxyz23",
      totalPaise: 1,
      invoiceNumber: "AC/1",
      createdAt: "2020-01-01T00:00:00Z",
    } as never);
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ status: "pending_payment", packagePrice: 999 });
    expect(answer.data.id).not.toBe("abcdefghijkmnpqrstuvwxyz23");
    const order = await app.api("/api/payments/create-order", {
      json: { appointmentId: answer.data.id, amount: 1, totalPaise: 1 },
    });
    expect(order.data.amount).toBe(1179);
    expect(Date.parse(answer.data.createdAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it("lets one of two hundred attempts at one time through", async () => {
    const date = dayAhead(13);
    const answers = await Promise.all(Array.from({ length: 200 }, () => book({ date })));
    const count = (status: number) => answers.filter((a) => a.status === status).length;
    expect([count(201), count(409)]).toEqual([1, 199]);
  });

  it("answers a repeat under one key alike and refuses another body", async () => {
    const key = { "Idempotency-Key": "repeat-0001" };
    const body = bookingBody({ date: dayAhead(14) });
    const [first, second] = await Promise.all([
      app.api("/api/appointments", { json: body, headers: key }),
      app.api("/api/appointments", { json: body, headers: key }),
    ]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.data).toEqual(first.data);
    const others = [{ json: { ...body, name: "X Y" } }, { json: { ...body, name: "" } }, {}];
    for (const other of others) {
      const answer = await app.api("/api/appointments", { method: "POST", headers: key, ...other });
      expect([answer.status, answer.code]).toEqual([409, "idempotency_conflict"]);
    }
  });

  it.each<[changes: Record<string, unknown>, field: string, message?: string]>([
    [{ name: "A" }, "name", "Name must be at least 2 characters"],
    [{ name: "x".repeat(101) }, "name"],
    [{ email: "nowhere" }, "email", "Please enter a valid email"],
    [{ counselor: "Nobody" }, "counselor", "Please select a captain"],
    [{ package: undefined }, "package", "Please select a package"],
    [{ packagePrice: [999] }, "packagePrice", "Please send the price of the package"],
    [{ packagePrice: true }, "packagePrice"],
    [{ packagePrice: " " }, "packagePrice", "Please send the price of the package"],
    [{ date: dayAhead(-1) }, "date", "Please select a date that is not in the past"],
    [{ date: dayAhead(92) }, "date", `Please select a date up to ${formatDate(dayAhead(90))}`],
  ])(
    "refuses bad input with the seed's words and writes nothing",
    async (changes, field, message) => {
      const rows = () => app.db.allRaw("SELECT 1 FROM appointment").length;
      const before = rows();
      const answer = await app.api("/api/appointments", { json: { ...bookingBody(), ...changes } });
      expect([answer.status, answer.code]).toEqual([400, "validation_failed"]);
      expect([changes, Object.keys(answer.errors!)]).toEqual([changes, [field]]);
      expect(answer.message).toBe(message ?? answer.errors![field]![0]);
      expect(rows()).toBe(before);
    },
  );

  it("answers broken envelopes with their codes", async () => {
    const path = "/api/appointments";
    const broken = await app.api(path, {
      body: "{",
      headers: { "Content-Type": "application/json" },
    });
    expect([broken.status, broken.code]).toEqual([400, "malformed_json"]);
    const form = await app.api(path, { body: "a=1", headers: { "Content-Type": "text/plain" } });
    expect([form.status, form.code]).toEqual([415, "unsupported_media_type"]);
    const large = await app.api(path, {
      json: { ...bookingBody(), notes: "x".repeat(10_000_000) },
    });
    expect([large.status, large.code]).toEqual([413, "too_large"]);
    const method = await app.api(path, { method: "PUT", json: {} });
    expect([method.status, method.code]).toEqual([405, "method_not_allowed"]);
    expect(method.headers.get("allow")).toBe("POST");
    const list = await app.api(path, { json: [1] });
    expect([list.status, list.code]).toEqual([400, "validation_failed"]);
  });
});
