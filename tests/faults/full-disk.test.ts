/** No byte can be written any more: a clear answer, nothing half-written, and all goes on after. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead, wish } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openSmallDisk } from "./small-disk.ts";

const disk = openSmallDisk();
let app: TestApp;
let admin: AdminApi;
beforeAll(async () => {
  if (!disk) return;
  app = await startTestApp({
    separateProcess: true,
    env: { DATABASE_PATH: join(disk.folder, "test.db"), RECONCILE_AFTER_SECONDS: "1" },
  });
  admin = await adminOf(app);
});
afterAll(async () => {
  await app?.stop();
  disk?.close();
});

const count = (table: string) =>
  app.db.firstRaw<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;

it.skipIf(!disk)("a full disk", async () => {
  const server = app.server!;
  const paid = await bookAndPay(app, { date: dayAhead(10) });
  const held = await app.api("/api/appointments", { json: wish({ date: dayAhead(11) }) });
  const { data: order } = await app.api("/api/payments/create-order", {
    json: { appointmentId: held.data.id },
  });
  await eventually(() =>
    expect(app.db.allRaw("SELECT 1 FROM message WHERE next_try_at IS NOT NULL")).toEqual([]),
  );

  disk?.fill(server, app.env.DATABASE_PATH!);
  // What is left of the write-ahead log's own space may still take a few.
  let day = 11;
  await eventually(async () => {
    day += 1;
    const answer = await app.api("/api/appointments", { json: wish({ date: dayAhead(day) }) });
    expect([answer.httpStatus, answer.code]).toEqual([503, "unavailable"]);
    expect(answer.message).toMatch(/try again/);
    expect(answer.headers.get("retry-after")).toBeTruthy();
  });
  const before = ["appointment", "session_time", "payment", "document", "message"].map(count);
  const proof = app.sandbox.pay(order.orderId);
  const refused = [
    await app.api("/api/appointments", { json: wish({ date: dayAhead(60) }) }),
    await app.api("/api/payments/verify", { json: { ...proof, appointmentId: held.data.id } }),
    await admin(`/appointments/${paid.id}/cancel`, { method: "POST" }),
  ];
  for (const answer of refused)
    expect([answer.httpStatus, answer.code]).toEqual([503, "unavailable"]);
  await app.sandbox.idle();
  const deliveries = [...app.sandbox.courier.deliveries.values()];
  expect(deliveries.filter(({ state }) => state === "waiting").length).toBeGreaterThan(0);
  for (const path of ["/", `/booking/${paid.id}`, "/health"]) {
    expect((await fetch(app.origin + path)).status).toBe(200);
  }
  expect(["appointment", "session_time", "payment", "document", "message"].map(count)).toEqual(
    before,
  );

  disk?.free(server);
  expect(server.pid).toBe(app.server?.pid);
  await eventually(async () => {
    const answer = await admin(`/appointments/${paid.id}/cancel`, { method: "POST" });
    expect(answer.httpStatus).toBe(200);
  });
  await eventually(async () => {
    const { data } = await admin(`/appointments/${held.data.id}`);
    expect(data.appointment.status).toBe("confirmed");
  });
  await app.sandbox.mailbox.waitFor({ to: held.data.email });
  expect(app.db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});
