/** Every list, page, document and file that shows the rows of an app. */
import { expect } from "vitest";
import { dateInIndia } from "#app/model/dates.ts";
import { listFeeds } from "#db/queries/catalogue.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead } from "./bookings.ts";

interface Reading {
  /** Bookings whose pages are read; all unless it is said. */
  most?: number;
  /** Sent with each request. */
  headers?: () => Record<string, string>;
}

/** Addresses that answer 200, whatever stands in the rows. */
function everyAddress(app: TestApp, most: number): string[] {
  const appointments = app.db.allRaw<{ id: string; paid: number; credited: number }>(
    `SELECT id, EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = a.id) AS paid,
       EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = a.id AND d.kind = 'credit_note') AS credited
     FROM appointment a ORDER BY status = 'pending_payment' LIMIT ?`,
    [most],
  );
  const numbers = app.db.allRaw<{ number: string }>("SELECT number FROM document");
  const month = dateInIndia(Date.now()).slice(0, 7);
  const day = `counselor=${encodeURIComponent(ASHA)}&date=${dayAhead(12)}`;
  return [
    ...["/", "/find-booking", "/health", "/robots.txt", "/sitemap.xml", "/captains/asha"],
    ...["/privacy", "/terms", "/refunds", "/contact", "/how-it-works"],
    ...[`/api/slots?${day}`, `/api/availability?${day.replace("date", "from")}&to=${dayAhead(80)}`],
    ...["/admin", "/admin?sort=amount&status=confirmed", "/admin/slots", `/admin/slots?${day}`],
    ...["/admin/activity", "/admin/unmatched", "/admin/account", "/admin/team", "/admin/export"],
    ...["/admin/documents", `/admin/documents?month=${month}`],
    ...[`/admin/documents/gst?month=${month}`, `/api/admin/gst?month=${month}`],
    ...(numbers.length > 0 ? [`/admin/documents/month?month=${month}`] : []),
    ...["/api/admin/appointments", "/api/admin/export", "/api/admin/activity-logs"],
    `/api/admin/slots?${day}`,
    ...["day", "week", "month"].map((view) => `/admin/calendar?view=${view}&date=${dayAhead(12)}`),
    `/api/admin/calendar?from=${dayAhead(0)}&to=${dayAhead(61)}`,
    "/admin/insights",
    "/admin/ratings",
    `/api/admin/insights?from=${dayAhead(0)}&to=${dayAhead(61)}`,
    ...listFeeds(app.db).map(({ secret }) => `/calendar/${secret}.ics`),
    ...numbers.map(({ number }) => `/admin/documents/${number.replaceAll("/", "-")}`),
    ...appointments.flatMap(({ id, paid, credited }) => [
      ...["", "/reschedule", "/cancel", "/calendar.ics"].map((end) => `/booking/${id}${end}`),
      ...["", "/edit", "/reschedule", "/cancel", "/delete"].map(
        (end) => `/admin/appointments/${id}${end}`,
      ),
      `/api/admin/appointments/${id}`,
      `/admin/appointments/${id}?list=${encodeURIComponent("view=day")}`,
      ...(paid ? [`/api/invoice/${id}`, `/admin/appointments/${id}/invoice`] : []),
      ...(credited ? [`/api/credit-note/${id}`] : []),
    ]),
  ];
}

/** Reads every address as an admin; no part of a page may have failed either. */
export async function expectEverything(
  app: TestApp,
  token: string,
  { most = -1, headers = () => ({}) }: Reading = {},
): Promise<void> {
  const broken: string[] = [];
  for (const address of everyAddress(app, most)) {
    const signedIn = { Authorization: `Bearer ${token}`, ...headers() };
    const answer = await fetch(app.origin + address, { headers: signedIn });
    const text = await answer.text();
    const whole = !text.includes("<!--$!-->");
    if (answer.status !== 200 || !whole) broken.push(`${address} → ${answer.status}`);
  }
  expect(broken).toEqual([]);
}
