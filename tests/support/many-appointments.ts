/** Fills a file with appointments by SQL alone, for measures: names, days and states vary. */
import type { OpenDb } from "#db/connection.server.ts";

/** Spread over three years from 2026-01-01, nine of ten states paid or pending. */
export function insertManyAppointments(db: OpenDb, count: number): void {
  const triggers = db.allRaw<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'
     AND (name LIKE 'appointment_search%' OR name LIKE '%_kept_%')`,
  );
  db.driver.transaction(() => {
    for (const { name } of triggers) db.driver.exec(`DROP TRIGGER ${name}`);
    db.driver.exec(`
      INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
        time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status, kept_paise,
        calendar_uid, notice_version, notice_at, created_at, updated_at)
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}),
      person (i, name) AS (
        SELECT i,
          json_extract('["Asha","Rohan","Priya","Arjun","Meera","Kabir","Ananya","Vikram","Ishaan","Diya"]',
            '$[' || (i % 10) || ']') || ' ' ||
          json_extract('["Sharma","Kumar","Singh","Iyer","Nair","Patel","Reddy","Das","Gupta","Khan","Rao"]',
            '$[' || (i % 11) || ']')
        FROM n)
      SELECT lower(substr(hex(randomblob(13)), 1, 26)), name,
        lower(replace(name, ' ', '.')) || i || iif(i % 4, '@mail.example', '@post.example'),
        '+9198' || printf('%08d', (i * 7919) % 100000000),
        iif(i % 2, 'asha', 'rohan'), 'A captain', date('2026-01-01', '+' || (i * 1095 / ${count}) || ' days'),
        printf('%02d:%s', 8 + i % 13, iif(i % 3, '00', '30')), 30, 0, 1800000, 99900, 18000, 117900,
        CASE WHEN i % 10 < 6 THEN 'confirmed' WHEN i % 10 < 8 THEN 'pending_payment'
             WHEN i % 10 < 9 THEN 'cancelled' ELSE 'rescheduled' END,
        iif(i % 10 IN (6, 7, 8), 0, 117900), 'uid' || i, 'x', 0, i * 1000, 0
      FROM person;
      INSERT INTO appointment_search (appointment_search) VALUES ('rebuild');
    `);
    for (const { sql } of triggers) db.driver.exec(sql);
  })();
}
