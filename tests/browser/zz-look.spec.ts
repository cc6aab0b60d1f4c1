import { findAppointment } from "#db/queries/appointments.server.ts";
import { dayAhead, ASHA } from "#tests/support/bookings.ts";
import { captainAccount } from "#tests/support/captain.ts";
import { paidGuest, signInByForm } from "./admin-desk.ts";
import { test } from "./fixtures.ts";
test("look", async ({ page, app }) => {
  const account = await captainAccount(app);
  let n = 0;
  const mk = async (d: number, t: string, notes?: string) => paidGuest(app, { counselor: ASHA, date: dayAhead(d), timeSlot: t, notes });
  const a = await mk(1, "10:00", "I wear glasses (-2.5). Can I still get a class 1 medical, and should I do it first?");
  await mk(1, "11:00"); await mk(2, "14:00"); const p = await mk(4, "16:00"); const q = await mk(5, "16:00");
  for (const one of [p, q]) { n++; app.db.runRaw("UPDATE appointment SET starts_at = ?, ends_at = ?, on_date = ? WHERE id = ?", [Date.now() - n*86400000*2, Date.now() - n*86400000*2 + 1800000, new Date(Date.now() - n*86400000*2).toISOString().slice(0,10), one.id]); }
  const uid = findAppointment(app.db, a.id)!.calendarUid;
  await page.goto("/admin?next=/admin/documents");
  await signInByForm(page, account);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/p-shots/403.png" });
  for (const theme of ["light", "dark"] as const) for (const width of [360, 1280]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 800 });
    for (const [name, path] of [["day", "/admin"], ["session", `/admin/sessions/${uid}`], ["sessions", "/admin/sessions"], ["calendar", `/admin/calendar?view=day&date=${dayAhead(1)}`], ["schedule", "/admin/schedule"], ["account", "/admin/account"], ["slots", `/admin/slots?tab=block&counselor=${encodeURIComponent(ASHA)}&date=${dayAhead(1)}`]]) {
      await page.goto(path!);
      await page.waitForTimeout(150);
      await page.screenshot({ path: `/tmp/p-shots/${name}-${width}-${theme}.png`, fullPage: name !== "schedule" });
    }
  }
});
