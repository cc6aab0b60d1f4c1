import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyAtOnce, makeBackup } from "./backup.server.ts";
import { migrate, type OpenDb, openDb } from "./connection.server.ts";

const scratch = mkdtempSync(join(tmpdir(), "sessions-copies-"));
const folder = join(scratch, "copies");
const now = Date.UTC(2027, 0, 1, 10, 20, 30);
let db: OpenDb;
beforeAll(async () => {
  db = openDb(join(scratch, "test.db"));
  await migrate(db);
});
afterAll(() => {
  db.close();
  rmSync(scratch, { recursive: true });
});

const back = () => makeBackup(db, { folder, keep: 9, now });

it("takes no name that another backup of the same second has or is about to have", async () => {
  const made = await Promise.all([back(), back()]);
  const first = ["bookings-20270101T102030Z-2.db", "bookings-20270101T102030Z.db"];
  expect(made.map(({ path }) => basename(path)).sort()).toEqual(first);
  expect(readdirSync(folder).sort()).toEqual(first);

  const foreign = "bookings-20270101T102030Z-3.db.partial";
  writeFileSync(join(folder, foreign), "another process's");
  expect(basename((await back()).path)).toBe("bookings-20270101T102030Z-4.db");
  expect(readdirSync(folder)).toContain(foreign);
});

it.each([
  [1, ["20270101"]],
  [2, ["20270101", "20270104"]],
  [4, ["20270101", "20270102", "20270103", "20270104"]],
])(
  "keeps %i, the one just made among them, also when the clock was set back",
  async (keep, days) => {
    const place = join(scratch, `kept-${keep}`);
    mkdirSync(place);
    for (const day of [2, 3, 4]) {
      writeFileSync(join(place, `bookings-2027010${day}T102030Z.db`), "x");
    }
    await makeBackup(db, { folder: place, keep, now });
    expect(readdirSync(place).sort()).toEqual(days.map((day) => `bookings-${day}T102030Z.db`));
  },
);

it("removes what a killed backup left an hour ago, and nothing that one may be writing now", async () => {
  const place = join(scratch, "killed");
  mkdirSync(place);
  const put = (name: string, minutesAgo: number) => {
    const at = Date.now() / 1000 - minutesAgo * 60;
    writeFileSync(join(place, name), "x");
    utimesSync(join(place, name), at, at);
  };
  const killed = "bookings-20261231T102030Z.db.partial";
  for (const suffix of ["", "-wal", "-shm", "-journal"]) put(killed + suffix, 61);
  put("bookings-20261231T112030Z-2.db.partial", 24 * 60);
  const running = "bookings-20270101T092030Z.db.partial";
  put(running, 59);
  // Written once at its begin.
  put(`${running}-journal`, 61);
  const others = ["erasures.jsonl.partial", "notes.partial", "bookings-x.db.partial"];
  for (const name of others) put(name, 61);

  await makeBackup(db, { folder: place, keep: 9, now });
  const kept = [running, `${running}-journal`, "bookings-20270101T102030Z.db", ...others];
  expect(readdirSync(place).sort()).toEqual(kept.sort());
});

it("has its name before it is checked where nobody else uses the file, and the check says a fault", async () => {
  const place = join(scratch, "at-once");
  mkdirSync(place);
  const { path, bytes, checked } = await copyAtOnce(db, { folder: place, now });
  expect(readdirSync(place)).toEqual(["bookings-20270101T102030Z.db"]);
  expect(bytes).toBe(statSync(path).size);
  await checked;
  db.runRaw("ALTER TABLE message RENAME TO letters");
  const other = await copyAtOnce(db, { folder: place, now: now + 1_000 });
  await expect(other.checked).rejects.toThrow("it has no table message");
  db.runRaw("ALTER TABLE letters RENAME TO message");
  // None of the older ones goes for it.
  expect(readdirSync(place).sort()).toEqual([path, other.path].map((one) => basename(one)));
});
