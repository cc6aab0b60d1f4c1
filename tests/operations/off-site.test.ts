/** Copies that leave the machine, to a store that looks at signatures and checksums. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCopyLate } from "#app/jobs/backups.server.ts";
import { copyName, openStore, StoreFailed } from "#app/jobs/copy-store.server.ts";
import { runOffSite, sendCopy } from "#app/jobs/off-site.server.ts";
import { fetchOffSite, listOffSite, readLastOffSite } from "#app/jobs/off-site-copies.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { rehearse } from "#db/restore.server.ts";
import { freshStore, PART_BYTES } from "#tests/support/off-site.ts";

const { test, sandbox } = freshStore();
const signal = new AbortController().signal;

const offSite = () => test.deps.env.backup.offSite!;
const run = () => runOffSite(test.deps, signal);
const stored = () => [...sandbox.s3.objects.keys()];
const mails = () =>
  test.deps.db.allRaw<{ data: string }>(
    "SELECT data FROM message WHERE kind = 'admin_off_site_failed'",
  );
const underWay = () => JSON.parse(readSetting(test.deps.db, "off_site_under_way")!);
/** Where a copy is put that is fetched. */
const fetched = () => join(test.folder, "fetched.db");

/** Bytes that compress to nothing smaller, so that the copy has several parts. */
function grow(parts: number): void {
  writeSetting(test.deps.db, "ballast", randomBytes(parts * PART_BYTES).toString("base64"));
}

/** A run in which no part goes through. */
async function breakOff(parts: number): Promise<void> {
  grow(parts);
  sandbox.switches.set({ name: "s3_error", match: "PUT", count: 3, value: 503 });
  await run();
}

/** The next run, in which the store answers so to the end of the copy. */
async function refuseEnd(count: number, status: number): Promise<void> {
  writeSetting(test.deps.db, "last_off_site_told", "");
  test.clock.now += 10 * MINUTE;
  sandbox.switches.set({ name: "s3_error", match: "POST", count, value: status });
  await run();
}

describe("a copy off the machine", () => {
  it("is made at the first run, sealed, and comes back as it was", async () => {
    writeSetting(test.deps.db, "mark", "kept words");
    await run();
    const name = `here/${copyName(test.clock.now)}`;
    expect(stored()).toEqual([name]);
    expect(sandbox.s3.objects.get(name)!.includes("kept words")).toBe(false);
    const last = readLastOffSite(test.deps)!;
    expect(last.bytes).toBe(sandbox.s3.objects.get(name)!.length);
    expect(readdirSync(join(test.folder, "off-site"))).toEqual([]);

    await expect(fetchOffSite(offSite(), "latest", fetched())).resolves.toEqual(last);
    expect(rehearse(fetched()).rows).toMatchObject({ appointment: 0, payment: 0 });
    await run();
    expect(stored()).toHaveLength(1);
    test.clock.now += HOUR;
    await run();
    expect(stored()).toHaveLength(2);
    const times = (await listOffSite(offSite())).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(mails()).toEqual([]);
  });

  it("goes in parts, and after a failure only what is missing goes", async () => {
    await breakOff(2.5);
    expect(stored()).toEqual([]);
    expect(underWay().parts).toEqual([]);

    // The second part breaks three times: the first is there already at the next run.
    test.clock.now += 10 * MINUTE;
    let puts = 0;
    const { take } = sandbox.switches;
    sandbox.switches.take = function (name, subject = "") {
      if (name === "s3_cut" && subject.startsWith("PUT")) {
        puts += 1;
        if (puts >= 2 && puts <= 4) return { name };
      }
      return take.call(this, name, subject);
    };
    await run();
    expect(stored()).toEqual([]);
    expect(underWay().parts).toHaveLength(1);
    const { name } = underWay();
    const there = [...sandbox.s3.uploads.values()].flatMap(({ parts }) => [...parts.keys()]);
    expect(there).toEqual([1]);

    test.clock.now += 10 * MINUTE;
    await run();
    expect(puts).toBe(4 + 2);
    expect(stored()).toEqual([`here/${name}`]);
    expect(sandbox.s3.uploads.size).toBe(0);
    await fetchOffSite(offSite(), name, fetched());
    expect(rehearse(fetched()).rows.appointment).toBe(0);
  }, 120_000);

  it("made by hand is one of now, and leaves the one under way alone", async () => {
    await breakOff(1.1);
    const before = underWay();
    test.clock.now += 10 * MINUTE;
    expect((await sendCopy(test.deps)).name).toBe(copyName(test.clock.now));
    expect(underWay()).toEqual(before);
    expect(readdirSync(join(test.folder, "off-site"))).toEqual([before.name]);
  }, 120_000);

  it.each([
    { status: 503, words: "503 SlowDown" },
    // As AWS does, which begins to answer before it is done.
    { status: 200, words: "200 with an error in it" },
  ])(
    "is ended at the next run where the store answered $words, and no part goes twice",
    async ({ status, words }) => {
      await breakOff(1.1);
      await refuseEnd(3, status);
      expect(stored()).toEqual([]);
      expect(mails().at(-1)!.data).toContain(`The store could not write: ${words}.`);
      expect(sandbox.s3.uploads.size).toBe(1);
      test.clock.now += 10 * MINUTE;
      sandbox.switches.set({ name: "s3_error", match: "PUT", value: 403 });
      await run();
      expect(stored()).toHaveLength(1);
      expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now - 20 * MINUTE));
      await fetchOffSite(offSite(), "latest", fetched());
    },
    120_000,
  );

  it("is begun anew where the store refuses its end for good", async () => {
    await breakOff(1.1);
    await refuseEnd(1, 400);
    expect(mails().at(-1)!.data).toContain("The store could not write: 400");
    expect(readdirSync(join(test.folder, "off-site"))).toEqual([]);
    expect(sandbox.s3.uploads.size).toBe(0);
    test.clock.now += 10 * MINUTE;
    await run();
    expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now));
  }, 120_000);

  it("made by hand and killed leaves nothing behind for longer than a day", async () => {
    const byHand = join(test.folder, "off-site-by-hand");
    const leave = (hoursAgo: number) => {
      mkdirSync(byHand, { recursive: true });
      writeFileSync(join(byHand, "bookings.db"), "everything");
      const at = (Date.now() - hoursAgo * HOUR) / 1000;
      utimesSync(byHand, at, at);
    };
    leave(23);
    await run();
    expect(readdirSync(byHand)).toEqual(["bookings.db"]);
    leave(25);
    test.clock.now += HOUR;
    await run();
    expect(readdirSync(test.folder)).not.toContain("off-site-by-hand");
  });

  it("counts when the answer to its last call was lost", async () => {
    grow(1.1);
    sandbox.switches.set({ name: "s3_answer_lost", match: ".sealed?uploadId", count: 1 });
    await run();
    expect(sandbox.switches.fired("s3_answer_lost")).toBe(1);
    expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now));
    expect(mails()).toEqual([]);
  }, 120_000);

  it("does not count where the store gives back other bytes", async () => {
    sandbox.switches.set({ name: "s3_other_bytes" });
    await run();
    expect(readLastOffSite(test.deps)).toBeNull();
    expect(mails()[0]!.data).toContain("other bytes");
  });

  it("is tried again, and reported once a day while none goes through", async () => {
    sandbox.switches.set({ name: "s3_error", count: 100_000, value: 403 });
    await run();
    expect(mails()).toHaveLength(1);
    expect(mails()[0]!.data).toContain("The store could not write: 403 AccessDenied.");
    for (let n = 0; n < 8; n++) {
      test.clock.now += 4 * HOUR;
      await run();
    }
    expect(mails()).toHaveLength(2);
    sandbox.switches.clear();
    test.clock.now += HOUR;
    await run();
    expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now));
    // A failure after a good one is reported again.
    sandbox.switches.set({ name: "s3_full", count: 3 });
    test.clock.now += HOUR;
    await run();
    expect(mails()).toHaveLength(3);
    expect(mails()[2]!.data).toContain("507");
    // As after a copy that was made before the mail and went through after it.
    test.clock.now += 10 * MINUTE;
    await run();
    expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now - 10 * MINUTE));
    sandbox.switches.set({ name: "s3_full", count: 3 });
    test.clock.now += HOUR;
    await run();
    expect(mails()).toHaveLength(4);
  }, 120_000);

  it("outlives a line that is cut, one that says nothing, and a store with too much to do", async () => {
    sandbox.switches.set({ name: "s3_cut", count: 1 });
    sandbox.switches.set({ name: "s3_slow", match: "PUT", count: 1, value: 0.5 });
    sandbox.switches.set({ name: "s3_error", match: "GET", count: 1, value: 503 });
    await run();
    expect(stored()).toHaveLength(1);
    expect(mails()).toEqual([]);
  });

  it("does not count, nor is put back, where the line is cut in the middle of it", async () => {
    sandbox.switches.set({ name: "s3_half", count: 1 });
    await run();
    expect(readLastOffSite(test.deps)).toBeNull();
    expect(mails()[0]!.data).toContain("The store could not read: ");
    test.clock.now += 10 * MINUTE;
    await run();
    expect(readLastOffSite(test.deps)?.name).toBe(copyName(test.clock.now - 10 * MINUTE));
    sandbox.switches.set({ name: "s3_half", count: 1 });
    await expect(fetchOffSite(offSite(), "latest", fetched())).rejects.toThrow(StoreFailed);
    expect(readdirSync(test.folder)).not.toContain("fetched.db");
  });

  it("makes older ones fewer, over several pages of the store's list", async () => {
    const store = openStore(offSite());
    await store.put("erasures.sealed", Buffer.from("x"));
    for (let n = 1; n <= 300; n++) {
      sandbox.s3.objects.set(`here/${copyName(test.clock.now - n * HOUR)}`, Buffer.from("x"));
    }
    sandbox.s3.objects.set(`here/${copyName(test.clock.now - 31 * DAY)}`, Buffer.from("x"));
    sandbox.s3.objects.set("elsewhere/kept", Buffer.from("x"));
    await run();
    const left = stored().filter((key) => key.startsWith("here/bookings"));
    expect(left.length).toBeGreaterThan(49 + 9);
    expect(left.length).toBeLessThan(49 + 13);
    expect(stored()).toContain("here/erasures.sealed");
    expect(stored()).toContain("elsewhere/kept");
  });

  it("counts where the store forbids removing", async () => {
    sandbox.s3.objects.set(`here/${copyName(test.clock.now - 40 * DAY)}`, Buffer.from("x"));
    sandbox.switches.set({ name: "s3_error", match: "DELETE", count: 9, value: 403 });
    await run();
    expect(readLastOffSite(test.deps)).not.toBeNull();
    expect(mails()).toEqual([]);
  });

  it("is refused by name under another key, cut short, or not there", async () => {
    await sendCopy(test.deps);
    const [key] = stored();
    const bytes = sandbox.s3.objects.get(key!)!;
    const refusal = (of = offSite(), name = "latest") => expect(fetchOffSite(of, name, fetched()));
    const other = { ...offSite(), encryptionKey: Buffer.alloc(32, 8) };
    await refusal(other).rejects.toThrow("under another key");
    sandbox.s3.objects.set(key!, bytes.subarray(0, -9));
    await refusal().rejects.toThrow("cut short");
    sandbox.s3.objects.clear();
    await refusal().rejects.toThrow("The store has no copy.");
    await refusal(offSite(), "x").rejects.toThrow("no copy x");
    expect(readdirSync(test.folder)).not.toContain("fetched.db");
  });

  it("is not believed by a store with another secret", async () => {
    const wrong = { ...offSite(), secretAccessKey: "another" };
    await expect(listOffSite(wrong)).rejects.toThrow("403");
  });

  it("is late once two intervals and an hour are over", () => {
    expect(isCopyLate(offSite(), 0, 3 * HOUR)).toBe(false);
    expect(isCopyLate(offSite(), 0, 3 * HOUR + 1)).toBe(true);
  });
});
