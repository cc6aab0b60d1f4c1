/** A booking from form to invoice, beside the storm. */
import type { TestApp } from "#tests/helpers/app.ts";
import { pay } from "#tests/support/admin.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";

const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

export interface Journey {
  id: string | null;
  /** What went wrong on the way; null: nothing. */
  wrong: string | null;
}

/** The `n`-th journey; each has a time of its own. Throws where the server has gone away. */
export async function travel(
  app: TestApp,
  { n, token, headers }: { n: number; token: () => string; headers: Record<string, string> },
): Promise<Journey> {
  const json = bookingBody({
    counselor: n % 2 === 0 ? ASHA : ROHAN,
    date: dayAhead(3 + (Math.floor(n / 12) % 85)),
    timeSlot: TIMES[Math.floor(n / 2) % 6]!,
    state: "29",
  });
  const booked = await app.api("/api/appointments", { json, headers });
  const wrong = (what: string, status: number) => ({
    id: null,
    wrong: `${what} answered ${status}`,
  });
  if (booked.status >= 500) return wrong("a booking", booked.status);
  const id: string | undefined = booked.data?.id;
  if (!id) return { id: null, wrong: null };
  await pay(app, id);
  for (const path of [
    `/api/invoice/${id}`,
    `/booking/${id}`,
    "/api/admin/export",
    "/api/admin/appointments?page=1",
    "/admin",
  ]) {
    const read = () =>
      app.api(path, { headers, ...(/admin/.test(path) ? { token: token() } : {}) });
    let { status } = await read();
    // What is thrown at the same time may have ended the session.
    if (status === 401) ({ status } = await read());
    // Full queues say so.
    if (status !== 200 && status !== 503)
      return wrong(`after a booking ${path.replace(id, ":id")}`, status);
  }
  return { id, wrong: null };
}
