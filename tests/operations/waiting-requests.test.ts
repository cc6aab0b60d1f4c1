/** A request that waits leaves its place to others, and what was true before its wait is looked at again. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { beforeEach, expect, it } from "vitest";
import { createSession, findSession } from "#app/auth/session.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { elsewhere } from "#app/core/work-queue.server.ts";
import { exportAppointments, exportGstMonth } from "#app/documents/exports.server.ts";
import { Admission } from "#app/http/admission.ts";
import type { Actor } from "#app/model/actor.ts";
import { monthOf } from "#app/model/month.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { deleteSessionsOf } from "#db/queries/admins.server.ts";
import { bookingInput } from "#tests/support/bookings.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const test = freshDeps();
let admission: Admission;
beforeEach(() => {
  admission = new Admission({ rateLimit: true });
});

/** Works for a client as the listener does. */
function work<T>(client: string, job: () => Promise<T>) {
  const answer = Object.assign(new EventEmitter(), { destroyed: false, headersSent: false });
  const entered = admission.enter(client, answer as unknown as ServerResponse);
  if (!entered.ok) throw new Error(entered.message);
  return entered.value.work(job);
}

/** Each of those before has begun: they do so one in each turn of the event loop. */
const begun = () => new Promise((resolve) => setTimeout(resolve, 20));
const soon = () => new Promise((resolve) => setTimeout(() => resolve("waits"), 100));

it("asking for links holds up nobody while its answer is held back", async () => {
  const all = [0, 1, 2, 3].map((i) =>
    work("a", () => mailBookingLinks(test.deps, { email: `nobody${i}@example.in` }, "192.0.2.1")),
  );
  await begun();
  expect(await Promise.race([work("b", async () => "b"), soon()])).toMatchObject({ value: "b" });
  await Promise.all(all);
});

it("asking for one order many times holds up nobody while the provider is silent", async () => {
  const asked: unknown[] = [];
  const order = Promise.withResolvers<never>();
  test.deps.provider = {
    createOrder: (wanted: unknown) => {
      asked.push(wanted);
      return elsewhere(order.promise, true);
    },
  } as unknown as typeof test.deps.provider;
  const booked = bookSession(test.deps, bookingInput(), { clientAddress: "192.0.2.1" });
  if (!booked.ok) throw new Error(booked.message);
  const { id } = booked.value.appointment;
  const all = [0, 1, 2, 3, 4, 5].map(() => work("a", () => createOrder(test.deps, id)));
  await begun();
  expect(await Promise.race([work("b", async () => "b"), soon()])).toMatchObject({ value: "b" });
  expect(await Promise.race([work("a", async () => "a"), soon()])).toMatchObject({ value: "a" });
  expect(asked).toHaveLength(1);
  order.reject(new Error("closed"));
  await Promise.allSettled(all);
});

it("no export is handed to who was signed out while it was made", async () => {
  const { db } = test.deps;
  addRow(db, "admin", "asha");
  const { token } = createSession(test.deps, "asha", { userAgent: null });
  const { admin, tokenHash } = findSession(test.deps, token)!;
  const session = { tokenHash, counselorKey: null };
  const actor: Actor = { kind: "admin", username: "asha", role: admin.role, session };
  let signsOut = false;
  const made = async () => {
    if (signsOut) deleteSessionsOf(db, "asha");
    return { bytes: Buffer.from("x"), rows: 1 };
  };
  test.deps.documents = {
    renderExport: made,
    renderGstMonth: async () => (await made()).bytes,
  } as unknown as typeof test.deps.documents;
  const month = monthOf("2026-11-24");
  expect(await exportAppointments(test.deps, actor, {})).toMatchObject({ ok: true });
  expect(await exportGstMonth(test.deps, actor, month)).toMatchObject({ ok: true });
  signsOut = true;
  const late = [exportAppointments(test.deps, actor, {}), exportGstMonth(test.deps, actor, month)];
  for (const one of await Promise.all(late)) expect(one).toMatchObject({ code: "unauthenticated" });
  expect(db.allRaw("SELECT action FROM activity ORDER BY rowid")).toEqual([
    ...[{ action: "export" }, { action: "gst_export" }],
  ]);
});
