/** Visitors, payers and an admin at work, each one after the other, for as long as asked. */
import { setTimeout as pause } from "node:timers/promises";
import type { ApiInit } from "#tests/helpers/api-client.ts";
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

const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

/** Runs all of them until `isOver`; none rejects. */
export async function load(
  app: TestApp,
  token: string,
  isOver: (seen: Seen) => boolean,
): Promise<Seen> {
  const seen: Seen = { statuses: {}, page: [], faults: [], bookings: 0 };
  const ask = async (kind: string, path: string, init: ApiInit = {}) => {
    const startedAt = performance.now();
    const answer = await app.api(path, init);
    const { status, text } = answer;
    const key = `${kind} ${status}`;
    seen.statuses[key] = (seen.statuses[key] ?? 0) + 1;
    if (status >= 500) seen.faults.push(`${key}: ${text}`);
    if (kind === "page") seen.page.push(performance.now() - startedAt);
    return answer;
  };

  async function visit(): Promise<void> {
    const counselor = Math.random() < 0.5 ? ASHA : ROHAN;
    const from = dayAhead(1);
    await ask("page", "/", { headers: { "Accept-Encoding": "br" } });
    await ask("page with cookie", "/", { headers: { Cookie: "other=1" } });
    const month = new URLSearchParams({ counselor, from, to: dayAhead(31), package: "30" });
    await ask("month", `/api/availability?${month}`);
    const date = dayAhead(1 + Math.floor(Math.random() * 80));
    await ask("slots", `/api/slots?${new URLSearchParams({ counselor, date })}`);
    await ask("privacy", "/privacy");
    await ask("form", "/?index", { form: { counselor, date: from, intent: "show-times" } });
    await pause(20);
  }

  let next = 0;
  /** Books a time of its own, pays, reads what came of it, and has it cancelled and refunded. */
  async function customer(): Promise<void> {
    const n = next++;
    const json = bookingBody({
      name: "Meera Pillai मीरा",
      date: dayAhead(2 + (Math.floor(n / TIMES.length) % 80)),
      timeSlot: TIMES[n % TIMES.length]!,
      counselor: n % 2 === 0 ? ASHA : ROHAN,
    });
    const { id } = (await ask("book", "/api/appointments", { json })).data ?? {};
    if (!id) return;
    const appointmentId = { appointmentId: id };
    const order = await ask("order", "/api/payments/create-order", { json: appointmentId });
    if (!order.data) return;
    const { payment: _, ...proof } = app.sandbox.pay(order.data.orderId);
    const claim = { ...proof, ...appointmentId };
    const paid = await ask("verify", "/api/payments/verify", { json: claim });
    if (paid.data?.status === "confirmed") seen.bookings += 1;
    await ask("invoice", `/api/invoice/${id}`);
    await ask("booking page", `/booking/${id}`);
    await ask("calendar file", `/booking/${id}/calendar.ics`);
    const cancel = `/api/admin/appointments/${id}/cancel`;
    if (n % 3 !== 0) await ask("cancel", cancel, { method: "POST", token });
  }

  async function staff(): Promise<void> {
    await ask("list", "/api/admin/appointments?page=1&pageSize=50", { token });
    await ask("search", "/api/admin/appointments?q=meera&page=1", { token });
    await ask("export", "/api/admin/export", { token });
    await ask("log", "/api/admin/activity-logs?page=1", { token });
    await pause(300);
  }

  await Promise.all(
    [visit, visit, customer, customer, staff].map(async (act) => {
      while (!isOver(seen)) {
        await act().catch((error: unknown) => seen.faults.push(String(error)));
      }
    }),
  );
  return seen;
}
