import { beforeAll, expect, it } from "vitest";
import { type AdminApi, adminOf } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
let admin: AdminApi;
beforeAll(async () => {
  admin = await adminOf(app);
});

const download = (query: string) =>
  fetch(`${app.origin}/api/admin/export${query}`, {
    headers: { Authorization: `Bearer ${admin.token}` },
  });

it("refuses more than 20,000 rows with a way out", async () => {
  app.db.runRaw(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
     INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
       time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status,
       calendar_uid, notice_version, notice_at, created_at, updated_at)
     SELECT printf('%026d', i), 'Many', 'many@example.in', '+919845012345', 'asha', ?, '2020-01-01',
       '09:00', 30, 0, 1800000, 99900, 18000, 117900, 'cancelled', printf('uid%d', i), 'x', 0, 0, 0
     FROM n`,
    [ASHA],
  );
  app.db.runRaw("UPDATE appointment SET on_date = '2020-01-02' WHERE calendar_uid = 'uid1'");
  const answer = await admin("/export");
  expect([answer.httpStatus, answer.code]).toEqual([400, "too_many_rows"]);
  expect(answer.message).toContain("narrow the dates");

  // Exactly as many are made while the public page goes on answering.
  const before = performance.now();
  const making = download("?endDate=2020-01-01");
  const waits: number[] = [];
  let done = false;
  making.then(() => {
    done = true;
  });
  while (!done) {
    const asked = performance.now();
    await app.api(`/api/slots?${new URLSearchParams({ counselor: ASHA, date: dayAhead(9) })}`);
    waits.push(performance.now() - asked);
  }
  const response = await making;
  expect(response.status).toBe(200);
  const bytes = await response.arrayBuffer();
  expect(bytes.byteLength).toBeGreaterThan(100_000);
  const median = waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]!;
  console.log(
    `20,000 rows in ${Math.round(performance.now() - before)} ms; ${waits.length} answers meanwhile, median ${median.toFixed(1)} ms, slowest ${waits.at(-1)!.toFixed(0)} ms`,
  );
  expect(waits.length).toBeGreaterThan(3);
  expect(median).toBeLessThan(200);
});
