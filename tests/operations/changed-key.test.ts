/** Another BACKUP_ENCRYPTION_KEY: the copies change over at once, and the list of erasures follows. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { copyName } from "#app/jobs/copy-store.server.ts";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import {
  fetchOffSite,
  readLastOffSite,
  readSentErasures,
  sendErasures,
} from "#app/jobs/off-site-copies.server.ts";
import { MINUTE, SECOND } from "#app/model/duration.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { freshStore, PART_BYTES } from "#tests/support/off-site.ts";

const OTHER = Buffer.alloc(32, 8);
const LIST = "here/erasures.jsonl.sealed";
const { test, sandbox } = freshStore();
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
const run = (deps: Deps) => runOffSite(deps, new AbortController().signal);
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
    const file = join(test.folder, "fetched.db");
    await fetchOffSite(offSite(OTHER), "latest", file);
    await expect(listed()).rejects.toThrow(
      "The list of erasures erasures.jsonl.sealed: It was made under another key.",
    );

    // From then on all is as it was.
    calls = [];
    await run(under(OTHER));
    await sendErasures(under(OTHER));
    expect(calls).toEqual([]);
    expect(wakes).toBe(1);
    erase(4);
    await sendErasures(under(OTHER));
    expect(await listed(OTHER)).toEqual([1, 2, 3, 4]);
    const last = { name: copyName(test.clock.now), at: expect.any(Number) };
    expect(readLastOffSite(test.deps)).toEqual({ ...last, bytes: expect.any(Number) });
  });

  it("is tried again as any that does not go through", async () => {
    await run(under());
    sandbox.switches.set({ name: "s3_error", count: 100_000, value: 403 });
    test.clock.now += SECOND;
    await run(under(OTHER));
    expect(calls.at(-1)).toMatch(/^PUT/);
    calls = [];
    test.clock.now += MINUTE;
    await run(under(OTHER));
    expect(calls).toEqual([]);
    sandbox.switches.clear();
    test.clock.now += 10 * MINUTE;
    await run(under(OTHER));
    expect(copies()).toHaveLength(2);
  });

  it("begins anew what was under way", async () => {
    writeSetting(test.deps.db, "ballast", randomBytes(1.5 * PART_BYTES).toString("base64"));
    // The first part is there, the second is not.
    const { take } = sandbox.switches;
    let puts = 0;
    sandbox.switches.take = function (name, subject = "") {
      if (name === "s3_error" && subject.startsWith("PUT") && ++puts > 1)
        return { name, value: 403 };
      return take.call(this, name, subject);
    };
    await run(under());
    sandbox.switches.take = take;
    expect(JSON.parse(readSetting(test.deps.db, "off_site_under_way")!).parts).toHaveLength(1);
    test.clock.now += 10 * MINUTE;
    await run(under(OTHER));
    expect(copies()).toEqual([`here/${copyName(test.clock.now)}`]);
    expect(sandbox.s3.uploads.size).toBe(0);
    expect(readdirSync(join(test.folder, "off-site"))).toEqual([]);
    await fetchOffSite(offSite(OTHER), "latest", join(test.folder, "fetched.db"));
  }, 60_000);

  it("is what a record without one counts as", async () => {
    await run(under());
    erase(1);
    await sendErasures(under());
    const { name, at, bytes } = readLastOffSite(test.deps)!;
    writeSetting(test.deps.db, "last_off_site", JSON.stringify({ name, at, bytes }));
    writeSetting(test.deps.db, "off_site_erasures", "1");
    calls = [];
    await sendErasures(under());
    expect(calls).toEqual([]);
    test.clock.now += MINUTE;
    await run(under());
    expect(copies()).toHaveLength(2);
    await sendErasures(under());
    expect(calls.at(-1)).toMatch(/^PUT .*erasures/);
    expect(await listed()).toEqual([1]);
  });

  it("does not excuse a damaged list: what it held may be known nowhere else", async () => {
    await run(under());
    erase(1);
    await sendErasures(under());
    const list = sandbox.s3.objects.get(LIST)!;
    // In its salt, so that it reads as one under another key, and in what is sealed.
    for (const at of [20, list.length - 1]) {
      const damaged = Buffer.from(list);
      damaged[at]! ^= 1;
      sandbox.s3.objects.set(LIST, damaged);
      erase(100 + at);
      await expect(sendErasures(under())).rejects.toThrow("The list of erasures");
      expect(sandbox.s3.objects.get(LIST)).toBe(damaged);
    }
    // Nor where nobody knows under which key it was sent.
    writeSetting(test.deps.db, "off_site_erasures", "1");
    await expect(sendErasures(under())).rejects.toThrow("changed");
  });
});
