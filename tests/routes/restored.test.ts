/** After a restore the owner is shown which numbers may have gone out, until they say they have looked. */
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeBackup } from "#db/backup.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { type AdminApi, adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedApp } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

quickCopies();
const folder = scratchFolder();
const app = sharedApp();
let admin: AdminApi;
let numbers: string[];
beforeAll(async () => {
  admin = await adminOf(app);
  const { id } = await bookAndPay(app, { date: dayAhead(10) });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  const credited = "SELECT 1 FROM document WHERE kind = 'credit_note'";
  await eventually(() => expect(app.db.allRaw(credited)).toHaveLength(1));
  const last = (kind: string) =>
    app.db.firstRaw<{ number: string }>(
      "SELECT max(number) AS number FROM document WHERE kind = ?",
      [kind],
    )!.number;
  numbers = [last("invoice"), last("credit_note")];
  const { path } = await makeBackup(app.db, { folder, keep: 1, now: Date.now() });
  // Lost with what came after the copy.
  await bookAndPay(app, { date: dayAhead(12) });
  const target = join(folder, "back.db");
  await restoreBackup(path, target, Date.now());
  await app.restart({ DATABASE_PATH: target });
  admin = await adminOf(app);
});

it("names the last numbers of the copy where work begins and among the documents, until dismissed", async () => {
  const words = new RegExp(`numbers after ${numbers.join(" and ")} may have gone out`);
  const start = await admin.page("/admin");
  expect(start.html).toMatch(/1 restore to look through/);
  expect(start.html).toMatch(words);
  expect(start.html).toContain('href="/admin/documents#restored"');
  const documents = await admin.page("/admin/documents");
  expect(documents.html).toMatch(words);
  expect(documents.html).toContain("I Have Looked Through Them");

  expect((await admin.page("/admin/documents", { form: {} })).status).toBe(303);
  for (const path of ["/admin", "/admin/documents"]) {
    expect((await admin.page(path)).html).not.toMatch(/may have gone out/);
  }
});
