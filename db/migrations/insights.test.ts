/** What went back of bookings that stand in the file already, and goes back of them later. */
import { expect, it } from "vitest";
import { migrate } from "#db/connection.server.ts";
import { fileBefore } from "#tests/support/file-before.ts";

const NAME = "20261124T0300_insights";

it("counts what went back before, and goes on from there", async () => {
  const db = await fileBefore(NAME);
  for (const id of ["kept", "part", "whole", "unpaid"]) {
    db.runRaw(
      `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
         time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status,
         calendar_uid, notice_version, notice_at, created_at, updated_at)
       VALUES (?, 'A', 'a@b.in', '+919845012345', 'asha', 'A captain', '2026-12-01', '10:00', 30, 0,
         1800000, 99900, 18000, 117900, 'confirmed', ?, '1', 0, 0, 0)`,
      [id, id],
    );
    if (id === "unpaid") continue;
    db.runRaw(
      `INSERT INTO payment (payment_id, appointment_id, amount_paise, currency, provider_status,
         outcome, captured_at, created_at, updated_at)
       VALUES (?, ?, 117900, 'INR', 'captured', 'applied', 1, 0, 0)`,
      [id, id],
    );
  }
  const giveBack = (payment: string, paise: number, who: "origin" | "way") =>
    db.runRaw(
      `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, ${who}, reason,
         created_at, updated_at)
       VALUES (?, ?, ?, ?, 'wanted', ?, 'by_staff', 0, 0)`,
      [`${payment} ${paise}`, payment, payment, paise, who === "way" ? "provider" : "us"],
    );
  giveBack("part", 17_900, "origin");
  giveBack("whole", 117_900, "origin");
  expect(await migrate(db)).toContain(NAME);
  const back = () =>
    Object.fromEntries(
      db
        .allRaw<{ id: string; paise: number }>(
          "SELECT id, refunded_paise AS paise FROM appointment",
        )
        .map(({ id, paise }) => [id, paise]),
    );
  expect(back()).toEqual({ kept: 0, part: 17_900, whole: 117_900, unpaid: 0 });
  giveBack("part", 100_000, "way");
  db.runRaw("UPDATE payment SET captured_at = NULL WHERE payment_id = 'whole'");
  expect(back()).toEqual({ kept: 0, part: 117_900, whole: 0, unpaid: 0 });
  db.close();
});
