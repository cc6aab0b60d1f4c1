/** The rows of a booking, written by better-sqlite3 in one immediate transaction without a check. */
import { createHash, randomUUID } from "node:crypto";
import type { ActionFunctionArgs } from "react-router";
import { given } from "./given.ts";

const MINUTE = 60_000;

interface Wish {
  name: string;
  email: string;
  phone: string;
  package: number;
  date: string;
  timeSlot: string;
}

const prepare = () => {
  const { db } = given.floor;
  const appointment = db.prepare(
    `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date, time_slot,
       minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status, state_code, notes,
       pay_before, hold_until, cancel_reason, calendar_uid, client_address, notice_version, notice_at,
       personal_data_erased_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 99900, 18000, 117900, 'pending_payment', NULL, NULL, ?, ?,
       NULL, ?, ?, '2026-11', ?, NULL, ?, ?)`,
  );
  const time = db.prepare(
    `INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at, held_until)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const own = db.prepare(
    "INSERT INTO own_booking (token_hash, appointment_id, given_at) VALUES (?, ?, ?)",
  );
  return db.transaction((wish: Wish & { counselor: string }, key: string) => {
    const id = randomUUID();
    const now = Date.now();
    const startsAt = Date.parse(`${wish.date}T${wish.timeSlot}:00+05:30`);
    const endsAt = startsAt + wish.package * MINUTE;
    const holdUntil = now + 30 * MINUTE;
    appointment.run(
      ...[id, wish.name, wish.email, wish.phone, key, wish.counselor, wish.date, wish.timeSlot],
      ...[wish.package, startsAt, endsAt, now + 15 * MINUTE, holdUntil, randomUUID(), "127.0.0.1"],
      ...[now, now, now],
    );
    time.run(id, key, startsAt, endsAt, holdUntil);
    own.run(createHash("sha256").update(randomUUID()).digest("base64url"), id, now);
    return id;
  });
};
let insert: ReturnType<typeof prepare> | null = null;

export async function action({ request }: ActionFunctionArgs) {
  insert ??= prepare();
  const wish = (await request.json()) as Wish & { counselor: string };
  const key = wish.counselor.includes("Asha") ? "asha" : "rohan";
  const id = insert.immediate(wish, key);
  return Response.json({ status: "success", data: { id, ...wish } }, { status: 201 });
}
