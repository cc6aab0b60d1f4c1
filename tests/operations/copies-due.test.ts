/** Copies that leave the machine soon after money moved, or under another key, and what the doctor says of copies: fresh, late, missing. */
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { backUp, examineCopies } from "#app/jobs/backups.server.ts";
import { copyName } from "#app/jobs/copy-store.server.ts";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import {
  fetchOffSite,
  readLastOffSite,
  readSentErasures,
  sendErasures,
} from "#app/jobs/off-site-copies.server.ts";
import { addDays, dateInIndia, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import { listBackups } from "#db/backup.server.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { rehearse } from "#db/restore.server.ts";
import { freshStore, PART_BYTES } from "#tests/support/off-site.ts";
import { bookByStaff } from "#tests/support/till.ts";

const { test, sandbox } = freshStore();
const signal = new AbortController().signal;
const stored = () => sandbox.s3.objects.size;

let day = 5;
function takeMoney(): void {
  day += 1;
  bookByStaff(test.deps, { date: addDays(dateInIndia(test.clock.now), day) });
}

/** Runs as the loop does, every ten seconds, for so long (milliseconds). */
async function pass(time: number, deps = test.deps): Promise<void> {
  const end = test.clock.now + time;
  while (test.clock.now < end) {
    await runOffSite(deps, signal);
    test.clock.now += 10 * SECOND;
  }
}

async function paymentsOff(): Promise<number> {
  const file = join(test.folder, "fetched.db");
  await fetchOffSite(test.deps.env.backup.offSite!, "latest", file);
  return rehearse(file).rows.payment!;
}

it("nothing is missing when a machine is lost four minutes after a payment", async () => {
  await pass(MINUTE);
  expect(stored()).toBe(1);
  takeMoney();
  await pass(MINUTE);
  takeMoney();
  await pass(3 * MINUTE);
  expect(await paymentsOff()).toBe(2);
  // One copy has both, and nothing moved since.
  await pass(20 * MINUTE);
  expect(stored()).toBe(2);
});

it.each([
  ["", 0, 3 * MINUTE],
  ["slowly ", 2 * MINUTE, MINUTE],
])("money that moves while a copy is %ssent goes with the next", async (_, passes, soon) => {
  await pass(MINUTE);
  takeMoney();
  await pass(140 * SECOND);
  const { take } = sandbox.switches;
  let isSending = false;
  sandbox.switches.take = function (name, subject = "") {
    if (subject.startsWith("PUT") && !isSending) {
      isSending = true;
      takeMoney();
      test.clock.now += passes;
    }
    return take.call(this, name, subject);
  };
  await pass(30 * SECOND + passes);
  expect([isSending, await paymentsOff()]).toEqual([true, 1]);
  await pass(soon);
  expect(await paymentsOff()).toBe(2);
});

it("a copy broken off by a stop is continued at the next start", async () => {
  await pass(MINUTE);
  takeMoney();
  await pass(140 * SECOND);
  expect(await paymentsOff()).toBe(0);
  test.clock.now += 10 * SECOND;
  await runOffSite(test.deps, AbortSignal.abort());
  await pass(10 * SECOND);
  expect(await paymentsOff()).toBe(1);
});

it("a clock set back holds up no copy", async () => {
  await pass(MINUTE);
  test.clock.now += 50 * MINUTE;
  takeMoney();
  await pass(MINUTE);
  test.clock.now -= 50 * MINUTE;
  await pass(5 * MINUTE);
  expect(await paymentsOff()).toBe(1);
});

it("a copy that failed is tried again within the same time", async () => {
  await pass(MINUTE);
  takeMoney();
  sandbox.switches.set({ name: "s3_error", match: "PUT", count: 3, value: 503 });
  await pass(3 * MINUTE);
  expect(stored()).toBe(1);
  await pass(5 * MINUTE);
  expect(await paymentsOff()).toBe(1);
});

it("a copy goes by schedule alone where that is set", async () => {
  const { env } = test.deps;
  const backup = { ...env.backup, offSite: { ...env.backup.offSite!, afterSeconds: 0 } };
  const deps = { ...test.deps, env: { ...env, backup } };
  await pass(MINUTE, deps);
  takeMoney();
  await pass(HOUR - 2 * MINUTE, deps);
  expect(stored()).toBe(1);
  await pass(3 * MINUTE, deps);
  expect(stored()).toBe(2);
});

const [HERE, AWAY] = ["Backups", "Copies off the machine"];

beforeEach(() => {
  test.deps.env.databasePath = test.deps.db.driver.name;
});

/** Level and words of what the doctor says of the copies here or off the machine. */
async function said(subject: string | undefined): Promise<[string, string]> {
  const { env, provider } = test.deps;
  const found = [await examineCopies({ env, provider, source: {}, now: test.clock.now })].flat();
  const { level, says, mend } = found.find((finding) => finding.subject === subject)!;
  expect(mend === undefined).toBe(level === "fine");
  return [level, says];
}

it("of the copies here the doctor says how old the newest is, or that none is there", async () => {
  const none = `no backup in ${test.folder}`;
  test.clock.now += 2 * HOUR - MINUTE;
  expect(await said(HERE)).toEqual(["look", none]);
  test.clock.now += 2 * MINUTE;
  expect(await said(HERE)).toEqual(["wrong", none]);
  await backUp(test.deps);
  test.clock.now += 49 * HOUR;
  expect(await said(HERE)).toEqual(["fine", "the newest good one is 49.0 hours old"]);
  test.clock.now += 6 * MINUTE;
  expect(await said(HERE)).toEqual(["wrong", "the newest good one is 49.1 hours old"]);
  for (const path of listBackups(test.folder)) rmSync(path);
  expect(await said(HERE)).toEqual(["wrong", `${none}; the last was made 49.1 hours ago`]);
});

it("of the copies off the machine the doctor says how old and large the last is, or that none was sent", async () => {
  const send = () => runOffSite(test.deps, signal);
  sandbox.switches.set({ name: "s3_error", count: 100_000, value: 403 });
  await send();
  expect(await said(AWAY)).toEqual(["look", "none was sent yet"]);
  test.clock.now += 3 * HOUR;
  expect(await said(AWAY)).toEqual(["wrong", "none was sent yet"]);
  sandbox.switches.clear();
  await send();
  // The small file of this test is a part of the first.
  expect(await said(AWAY)).toEqual(["fine", "the newest good one is 0.0 hours old, 1 MB"]);
  test.clock.now += 3 * HOUR + 6 * MINUTE;
  expect(await said(AWAY)).toEqual(["wrong", "the newest good one is 3.1 hours old, 1 MB"]);
  test.deps.env.backup.offSite = null;
  expect(await said(AWAY)).toEqual(["look", "none are sent"]);
});

const OTHER = Buffer.alloc(32, 8);
const LIST = "here/erasures.jsonl.sealed";
let wakes: number;
/** What the store was asked, as `PUT /bucket/key`. */
let calls: string[];

beforeEach(() => {
  wakes = 0;
  calls = [];
  const { take } = sandbox.switches;
  sandbox.switches.take = function (name, subject = "") {
    if (name === "s3_cut") calls.push(subject);
    return take.call(this, name, subject);
  };
});

const offSite = (encryptionKey = test.deps.env.backup.offSite!.encryptionKey) => ({
  ...test.deps.env.backup.offSite!,
  encryptionKey,
});
/** The app as it starts with a key; without one, with the key it had first. */
const under = (key?: typeof OTHER): Deps => {
  const { env } = test.deps;
  const backup = { ...env.backup, offSite: offSite(key) };
  return { ...test.deps, env: { ...env, backup }, wake: () => void wakes++ };
};
const run = (deps: Deps) => runOffSite(deps, signal);
const copies = () => [...sandbox.s3.objects.keys()].filter((key) => key.includes("bookings-"));
const erase = (...ats: number[]) =>
  keepErasures(
    test.folder,
    ats.map((at) => ({ key: "k", email: `e${at}`, phones: [], bookings: [], at })),
  );
const listed = async (key?: typeof OTHER) =>
  (await readSentErasures(offSite(key))).map(({ at }) => at);

describe("another key", () => {
  it("makes a copy due at once, and the list of erasures follows it", async () => {
    await run(under());
    erase(1, 2);
    await sendErasures(under());
    expect(await listed()).toEqual([1, 2]);

    // Until a copy has the new key, whoever restores with the former one needs the list under it.
    test.clock.now += MINUTE;
    wakes = 0;
    erase(3);
    await sendErasures(under(OTHER));
    expect(await listed()).toEqual([1, 2]);

    await run(under(OTHER));
    expect(copies()).toHaveLength(2);
    expect(wakes).toBe(1);
    await sendErasures(under(OTHER));
    expect(await listed(OTHER)).toEqual([1, 2, 3]);
    await expect(listed()).rejects.toThrow(
      "The list of erasures erasures.jsonl.sealed: It was made under another key.",
    );

    // From then on all is as it was.
    calls = [];
    await run(under(OTHER));
    await sendErasures(under(OTHER));
    expect([calls, wakes]).toEqual([[], 1]);
  });

  it("begins anew what was under way", async () => {
    writeSetting(test.deps.db, "ballast", randomBytes(1.5 * PART_BYTES).toString("base64"));
    sandbox.switches.set({ name: "s3_error", match: "PUT", count: 3, value: 503 });
    await run(under());
    expect(sandbox.s3.uploads.size).toBe(1);
    test.clock.now += 10 * MINUTE;
    await run(under(OTHER));
    expect(copies()).toEqual([`here/${copyName(test.clock.now)}`]);
    expect(sandbox.s3.uploads.size).toBe(0);
    expect(readdirSync(join(test.folder, "off-site"))).toEqual([]);
    await fetchOffSite(offSite(OTHER), "latest", join(test.folder, "fetched.db"));
  }, 60_000);

  it("does not excuse a damaged list, and is what a record without one counts as", async () => {
    await run(under());
    erase(1);
    await sendErasures(under());
    const list = sandbox.s3.objects.get(LIST)!;
    const damage = (at: number) => {
      const damaged = Buffer.from(list);
      damaged[at]! ^= 1;
      sandbox.s3.objects.set(LIST, damaged);
      return damaged;
    };
    // In its salt, so that it reads as one under another key, and in what is sealed.
    for (const at of [20, list.length - 1]) {
      const damaged = damage(at);
      erase(100 + at);
      await expect(sendErasures(under())).rejects.toThrow("The list of erasures");
      expect(sandbox.s3.objects.get(LIST)).toBe(damaged);
    }
    // What it held may be known nowhere else, also where nobody knows under which key it was sent.
    writeSetting(test.deps.db, "off_site_erasures", "1");
    await expect(sendErasures(under())).rejects.toThrow("changed");

    sandbox.s3.objects.set(LIST, list);
    const { name, at, bytes } = readLastOffSite(test.deps)!;
    writeSetting(test.deps.db, "last_off_site", JSON.stringify({ name, at, bytes }));
    calls = [];
    await sendErasures(under());
    expect(calls).toEqual([]);
    test.clock.now += MINUTE;
    await run(under());
    expect(copies()).toHaveLength(2);
    await sendErasures(under());
    expect(calls.at(-1)).toMatch(/^PUT .*erasures/);
    expect(await listed()).toHaveLength(3);
  });
});
