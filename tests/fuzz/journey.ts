/** A booking from form to invoice, ordinary or with a code that is a name every object has. */
import type { TestApp } from "#tests/helpers/app.ts";
import { pay } from "#tests/support/admin.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import type { Shot } from "./shot.ts";
import { OBJECT_NAMES } from "./values.ts";

const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const CODES = ["state", "package", "counselor", "timeSlot", "date", "packagePrice"];

export interface Journey {
  id: string | null;
  /** What went wrong on the way; null: nothing. */
  wrong: { what: string; shot: Shot } | null;
}

/**
 * The `n`-th journey; each has a time of its own. Throws where the server has gone away. A hostile
 * code is to be refused; one that is accepted is followed into every page and file.
 */
export async function travel(
  app: TestApp,
  {
    n,
    hostile,
    token,
    headers,
  }: { n: number; hostile: boolean; token: () => string; headers: Record<string, string> },
): Promise<Journey> {
  const json: Record<string, unknown> = {
    ...bookingBody({
      counselor: n % 2 === 0 ? ASHA : ROHAN,
      date: dayAhead(3 + (Math.floor(n / 12) % 85)),
      timeSlot: TIMES[Math.floor(n / 2) % 6]!,
    }),
    state: "29",
  };
  // `n` is odd or even as it is hostile or not.
  const code = CODES[(n >> 1) % CODES.length]!;
  if (hostile) json[code] = OBJECT_NAMES[Math.floor((n >> 1) / CODES.length) % OBJECT_NAMES.length];
  const booked = await app.api("/api/appointments", { json, headers });
  const shot: Shot = {
    kind: "journeys",
    target: "/api/appointments",
    method: "POST",
    path: "/api/appointments",
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify(json),
  };
  const wrong = (what: string, status: number) => ({
    id: null,
    wrong: { what: `${what} answered ${status}`, shot },
  });
  if (booked.httpStatus >= 500) return wrong("a booking", booked.httpStatus);
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
    let { httpStatus } = await read();
    // What is thrown at the same time may have ended the session.
    if (httpStatus === 401) ({ httpStatus } = await read());
    // Full queues say so.
    if (httpStatus !== 200 && httpStatus !== 503)
      return wrong(`after it ${path.replace(id, ":id")}`, httpStatus);
  }
  return hostile ? wrong(`what is no ${code}`, booked.httpStatus) : { id, wrong: null };
}
