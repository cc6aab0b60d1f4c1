/** A process of its own that grabs times from a shared file and reports how many it got. */
import { openDb } from "#db/connection.server.ts";

const [path = "", name = ""] = process.argv.slice(2);
const db = openDb(path);
// Two that write without a pause may keep one another waiting for long where the disk is slow.
db.driver.pragma("busy_timeout = 60000");
const MINUTE = 60_000;
const ORIGIN = Date.UTC(2027, 0, 1);
let won = 0;
for (let i = 0; i < 300; i++) {
  const startsAt = ORIGIN + ((i * 7) % 97) * 15 * MINUTE;
  const minutes = [30, 45, 60][i % 3]!;
  const id = `${name}${i}`;
  db.runRaw(
    `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date, time_slot,
       minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status, calendar_uid, notice_version,
       notice_at, created_at, updated_at)
     VALUES (?, 'n', 'e', 'p', 'k', 'K', '2027-01-01', '10:00', ?, ?, ?, 1, 0, 1, 'confirmed', ?, 'v', 0, 0, 0)`,
    [id, minutes, startsAt, startsAt + minutes * MINUTE, id],
  );
  try {
    db.runRaw(
      "INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at) VALUES (?, 'k', ?, ?)",
      [id, startsAt, startsAt + minutes * MINUTE],
    );
    won += 1;
  } catch (error) {
    if (!String(error).includes("slot_taken")) throw error;
  }
}
db.close();
process.send?.(won, () => process.exit(0));
