/** Back up under load, destroy, restore, compare. */
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDb } from "#db/connection.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedApp } from "#tests/support/hooks.ts";
import { runScript as run } from "#tests/support/run-script.ts";

const app = sharedApp({ separateProcess: true });
const scratch = scratchFolder();

let day = 20;
function pay() {
  day += 1;
  return bookAndPay(app, { date: dayAhead(day) });
}

it("loses nothing that was in the backup, and finds the money that came after it", async () => {
  const kept = await pay();
  const numberOf = (id: string) =>
    app.db.firstRaw<{ number: string }>("SELECT number FROM document WHERE appointment_id = ?", [
      id,
    ])?.number;
  const firstNumber = numberOf(kept.id);

  let loading = true;
  const load = (async () => {
    while (loading) await app.api(`/api/slots?counselor=x&date=${dayAhead(3)}`);
  })();
  app.db.runRaw(`UPDATE owner_settings SET saved = '{"brand":"Wings"}', version = 7`);
  const backup = await run("backup.ts", [], app.env);
  loading = false;
  await load;
  expect(backup.status, backup.output).toBe(0);
  const file = backup.output.trim().split("\n").at(-1)!;
  expect(existsSync(file)).toBe(true);
  // One on schedule may be under way.
  await eventually(() => {
    for (const name of readdirSync(app.env.BACKUP_DIR!)) {
      expect(name).toMatch(/^bookings-\d{8}T\d{6}Z(-\d+)?\.db$/);
    }
  });
  const { data: admin } = await app.api("/api/admin/login", { json: ADMIN });
  const { text: account } = await app.api("/admin/account", { token: admin.token });
  expect(account).toMatch(
    /On the server: the last good copy is of .*(AM|PM) IST, [\d.]+ MB, made in [\d.]+ s/,
  );
  const copy = openDb(file, { readonly: true });
  expect(copy.firstRaw("SELECT count(*) AS n FROM appointment")).toEqual({ n: 1 });
  copy.close();
  const restoring = join(scratch, "backup.db");
  copyFileSync(file, restoring);

  const lost = await pay();
  const lostNumber = numberOf(lost.id);

  const whileRunning = await run("restore.ts", [restoring], app.env);
  expect(whileRunning.status).not.toBe(0);
  expect(whileRunning.output).toContain("Stop it first");
  expect(numberOf(lost.id)).toBe(lostNumber);

  await app.server!.stop();
  app.db.close();
  const bad = join(scratch, "bad.db");
  writeFileSync(bad, Buffer.alloc(statSync(restoring).size, 7));
  const refused = await run("restore.ts", [bad], app.env);
  expect(refused.status).not.toBe(0);
  expect(refused.output).toContain("Nothing was changed");

  const restored = await run("restore.ts", [restoring], app.env);
  expect(restored.status, restored.output).toBe(0);
  await app.restart();
  const db = openDb(app.env.DATABASE_PATH!);
  try {
    expect(db.allRaw("SELECT id, status FROM appointment")).toEqual([
      { id: kept.id, status: "confirmed" },
    ]);
    expect(db.firstRaw("SELECT count(*) AS n FROM admin_session")).toEqual({ n: 0 });
    expect((await app.api("/")).text).toContain("<title>Wings: ");
    await eventually(() =>
      expect(
        db.allRaw(
          "SELECT order_id, outcome, amount_paise FROM payment WHERE outcome = 'unmatched'",
        ),
      ).toEqual([{ order_id: lost.orderId, outcome: "unmatched", amount_paise: 117_900 }]),
    );
    const next = await pay();
    const { number } = db.firstRaw<{ number: string }>(
      "SELECT number FROM document WHERE appointment_id = ?",
      [next.id],
    )!;
    expect([firstNumber, lostNumber]).not.toContain(number);
    expect(number).toMatch(/^AC[A-Z]{2}\/\d\d-\d\d\/00001$/);
    expect(number.length).toBeLessThanOrEqual(16);
  } finally {
    db.close();
  }
});
