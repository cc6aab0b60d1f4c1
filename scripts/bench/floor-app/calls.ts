/** The calls of the floor: the statements behind ours, prepared once, without a rule or a check. */
import { createHash, randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";
import { DEFAULT_TIMES } from "../../../app/catalogue.ts";
import type { bookingNumber } from "../database.ts";
import { given } from "./page.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const INDIA_OFFSET = 330 * MINUTE;

let prepared: ReturnType<typeof prepare> | null = null;

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const data = pathname === "/month" ? month(searchParams) : slots(searchParams);
  return Response.json({ status: "success", data });
}

/** As `GET /api/slots`: the default times are the answer. */
function slots(query: URLSearchParams) {
  prepared ??= prepare();
  const date = query.get("date") ?? "";
  const midnight = Date.parse(`${date}T00:00:00+05:30`);
  prepared.offered.all("asha", date, date);
  prepared.blocked.all("asha", date, date);
  prepared.taken.all("asha", midnight - 240 * MINUTE, midnight + DAY, Date.now(), "");
  return { availableSlots: DEFAULT_TIMES, defaultSlots: DEFAULT_TIMES };
}

/** As `GET /api/availability`: the number of sessions a day. */
function month(query: URLSearchParams) {
  prepared ??= prepare();
  const from = Date.parse(`${query.get("from")}T00:00:00+05:30`);
  const to = Date.parse(`${query.get("to")}T00:00:00+05:30`) + DAY;
  const rows = prepared.month.all("asha", from, to) as { day: number; sessions: number }[];
  const days = rows.map(({ day, sessions }) => [
    new Date(day * DAY).toISOString().slice(0, 10),
    sessions,
  ]);
  return { days: Object.fromEntries(days) };
}

type Booking = ReturnType<typeof bookingNumber>;

/** As `POST /api/appointments`: the rows of a booking in one immediate transaction. */
export async function action({ request }: ActionFunctionArgs) {
  prepared ??= prepare();
  const booking = (await request.json()) as Booking;
  const key = booking.counselor.includes("Asha") ? "asha" : "rohan";
  const id = prepared.insert.immediate(booking, key);
  return Response.json({ status: "success", data: { id, ...booking } }, { status: 201 });
}

function prepare() {
  const { db } = given.floor;
  const appointment = db.prepare(
    `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date, time_slot,
       minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status, state_code, notes,
       pay_before, hold_until, cancel_reason, calendar_uid, client_address, notice_version, notice_at,
       personal_data_erased_at, created_at, updated_at)
     VALUES (@id, @name, @email, @phone, @key, @counselor, @date, @timeSlot, @package, @startsAt, @endsAt,
       99900, 18000, 117900, 'pending_payment', NULL, NULL, @payBefore, @holdUntil, NULL, @uid,
       '127.0.0.1', '2026-11', @now, NULL, @now, @now)`,
  );
  const time = db.prepare(
    `INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at, held_until)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const own = db.prepare(
    "INSERT INTO own_booking (token_hash, appointment_id, given_at) VALUES (?, ?, ?)",
  );
  return {
    offered: db.prepare(
      "SELECT on_date, time_slots FROM availability WHERE counselor_key = ? AND on_date BETWEEN ? AND ?",
    ),
    blocked: db.prepare(
      "SELECT on_date, time_slot FROM block WHERE counselor_key = ? AND on_date BETWEEN ? AND ?",
    ),
    taken: db.prepare(
      `SELECT starts_at AS startsAt, ends_at AS endsAt FROM session_time
       WHERE counselor_key = ? AND starts_at > ? AND starts_at < ?
         AND (held_until IS NULL OR held_until > ?) AND appointment_id <> ?`,
    ),
    month: db.prepare(
      `SELECT (starts_at + ${INDIA_OFFSET}) / ${DAY} AS day, count(*) AS sessions FROM session_time
       WHERE counselor_key = ? AND starts_at >= ? AND starts_at < ? GROUP BY day`,
    ),
    insert: db.transaction((booking: Booking, key: string) => {
      const id = randomUUID();
      const now = Date.now();
      const startsAt = Date.parse(`${booking.date}T${booking.timeSlot}:00+05:30`);
      const endsAt = startsAt + booking.package * MINUTE;
      const payBefore = now + 15 * MINUTE;
      const holdUntil = now + 30 * MINUTE;
      const times = { startsAt, endsAt, payBefore, holdUntil, now };
      appointment.run({ ...booking, ...times, id, key, uid: randomUUID() });
      time.run(id, key, startsAt, endsAt, holdUntil);
      own.run(createHash("sha256").update(randomUUID()).digest("base64url"), id, now);
      return id;
    }),
  };
}
