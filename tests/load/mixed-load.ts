/** Visitors, payers and an admin at work, each one after the other, for as long as asked. */

import { setTimeout as pause } from "node:timers/promises";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";

export interface Seen {
  /** How often each kind of request was answered with each status. */
  statuses: Record<string, number>;
  /** Milliseconds of `GET /` as an unknown visitor. */
  page: number[];
  faults: string[];
  bookings: number;
}

type Send = (kind: string, path: string, init?: RequestInit) => Promise<Response>;

const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

/** Runs all of them until `isOver`; none rejects. */
export async function load(
  app: TestApp,
  token: string,
  isOver: (seen: Seen) => boolean,
): Promise<Seen> {
  const seen: Seen = { statuses: {}, page: [], faults: [], bookings: 0 };
  const send: Send = async (kind, path, init = {}) => {
    const startedAt = performance.now();
    const response = await fetch(app.origin + path, { redirect: "manual", ...init });
    const key = `${kind} ${response.status}`;
    seen.statuses[key] = (seen.statuses[key] ?? 0) + 1;
    if (response.status >= 500) seen.faults.push(`${key}: ${await response.clone().text()}`);
    if (kind === "page") seen.page.push(performance.now() - startedAt);
    return response;
  };
  let next = 0;
  const people = [
    () => visit(send),
    () => visit(send),
    () => bookAndPay(app, send, token, next++, seen),
    () => bookAndPay(app, send, token, next++, seen),
    () => administer(send, token),
  ];
  await Promise.all(
    people.map(async (act) => {
      while (!isOver(seen)) {
        await act().catch((error: unknown) => seen.faults.push(String(error)));
      }
    }),
  );
  return seen;
}

async function visit(send: Send): Promise<void> {
  const counselor = Math.random() < 0.5 ? ASHA : ROHAN;
  const from = dayAhead(1);
  await read(send("page", "/", { headers: { "Accept-Encoding": "br" } }));
  await read(send("page with cookie", "/", { headers: { Cookie: "other=1" } }));
  const month = new URLSearchParams({ counselor, from, to: dayAhead(31), package: "30" });
  await read(send("month", `/api/availability?${month}`));
  const day = new URLSearchParams({
    counselor,
    date: dayAhead(1 + Math.floor(Math.random() * 80)),
  });
  await read(send("slots", `/api/slots?${day}`));
  await read(send("privacy", "/privacy"));
  const form = new URLSearchParams({ counselor, date: from, intent: "show-times" });
  await read(send("form", "/?index", { method: "POST", body: form }));
  await pause(20);
}

/** Books a time of its own, pays, reads what came of it, and has it cancelled and refunded. */
async function bookAndPay(
  app: TestApp,
  send: Send,
  token: string,
  n: number,
  seen: Seen,
): Promise<void> {
  const call = async (kind: string, path: string, json: unknown, headers = {}) => {
    const response = await send(kind, path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(json),
    });
    return response.status < 400 ? (await response.json()).data : null;
  };
  const json = bookingBody({
    name: "Meera Pillai मीरा",
    date: dayAhead(2 + (Math.floor(n / TIMES.length) % 80)),
    timeSlot: TIMES[n % TIMES.length]!,
    counselor: n % 2 === 0 ? ASHA : ROHAN,
  });
  const booked = await call("book", "/api/appointments", json);
  if (!booked) return;
  const order = await call("order", "/api/payments/create-order", { appointmentId: booked.id });
  if (!order) return;
  const { payment: _, ...proof } = app.sandbox.pay(order.orderId);
  const paid = await call("verify", "/api/payments/verify", { ...proof, appointmentId: booked.id });
  seen.bookings += paid?.status === "confirmed" ? 1 : 0;
  await read(send("invoice", `/api/invoice/${booked.id}`));
  await read(send("booking page", `/booking/${booked.id}`));
  await read(send("calendar file", `/booking/${booked.id}/calendar.ics`));
  if (n % 3 !== 0) {
    const path = `/api/admin/appointments/${booked.id}/cancel`;
    await call("cancel", path, {}, { Authorization: `Bearer ${token}` });
  }
}

async function administer(send: Send, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  await read(send("list", "/api/admin/appointments?page=1&pageSize=50", { headers }));
  await read(send("search", "/api/admin/appointments?q=meera&page=1", { headers }));
  await read(send("export", "/api/admin/export", { headers }));
  await read(send("log", "/api/admin/activity-logs?page=1", { headers }));
  await pause(300);
}

async function read(answer: Promise<Response>): Promise<void> {
  await (await answer).arrayBuffer();
}
