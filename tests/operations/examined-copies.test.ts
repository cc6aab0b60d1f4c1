/** What the doctor says of copies, here and off the machine: fresh, late, missing. */
import { rmSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { backUp, examineCopies, runScheduledBackup } from "#app/jobs/backups.server.ts";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import { readLastOffSite } from "#app/jobs/off-site-copies.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { listBackups } from "#db/backup.server.ts";
import { freshStore } from "#tests/support/off-site.ts";

const [HERE, AWAY] = ["Backups", "Copies off the machine"];

const { test, sandbox } = freshStore();
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
const send = () => runOffSite(test.deps, new AbortController().signal);
const storeFails = () => sandbox.switches.set({ name: "s3_error", count: 100_000, value: 403 });

describe("of the copies here the doctor says", () => {
  it("that a fresh one is fine and a late one wrong", async () => {
    await runScheduledBackup(test.deps);
    test.clock.now += 49 * HOUR;
    expect(await said(HERE)).toEqual(["fine", "the newest good one is 49.0 hours old"]);
    test.clock.now += 6 * MINUTE;
    expect(await said(HERE)).toEqual(["wrong", "the newest good one is 49.1 hours old"]);
  });

  it("nothing wrong in the first hours without one, then that none is there", async () => {
    test.clock.now += 2 * HOUR - MINUTE;
    expect(await said(HERE)).toEqual(["look", `no backup in ${test.folder}`]);
    test.clock.now += 2 * MINUTE;
    expect(await said(HERE)).toEqual(["wrong", `no backup in ${test.folder}`]);
    await backUp(test.deps);
    expect((await said(HERE))[0]).toBe("fine");
  });

  it("that none is left where the folder was emptied", async () => {
    test.clock.now += 30 * DAY;
    await backUp(test.deps);
    for (const path of listBackups(test.folder)) rmSync(path);
    test.clock.now += 3 * HOUR;
    const says = `no backup in ${test.folder}; the last was made 3.0 hours ago`;
    expect(await said(HERE)).toEqual(["wrong", says]);
  });
});

describe("of the copies off the machine the doctor says", () => {
  it("how old and how large the last is, fine while fresh and wrong once late", async () => {
    await send();
    const { bytes } = readLastOffSite(test.deps)!;
    expect(bytes).toBe([...sandbox.s3.objects.values()][0]!.length);
    // The small file of this test is a part of the first.
    expect(bytes).toBeLessThan(2 ** 20);
    expect(await said(AWAY)).toEqual(["fine", "the newest good one is 0.0 hours old, 1 MB"]);

    storeFails();
    test.clock.now += 3 * HOUR - MINUTE;
    await send();
    expect((await said(AWAY))[0]).toBe("fine");
    test.clock.now += 7 * MINUTE;
    expect(await said(AWAY)).toEqual(["wrong", "the newest good one is 3.1 hours old, 1 MB"]);
  });

  it("nothing wrong in the first hours without one, then that none was ever sent", async () => {
    storeFails();
    await send();
    expect(await said(AWAY)).toEqual(["look", "none was sent yet"]);
    test.clock.now += 30 * DAY;
    await send();
    expect(await said(AWAY)).toEqual(["wrong", "none was sent yet"]);
    sandbox.switches.clear("s3_error");
    test.clock.now += HOUR;
    await send();
    expect(await said(AWAY)).toEqual(["fine", "the newest good one is 0.0 hours old, 1 MB"]);
  });

  it("only that none are sent where nobody asked for them", async () => {
    test.deps.env.backup.offSite = null;
    test.clock.now += 30 * DAY;
    expect(await said(AWAY)).toEqual(["look", "none are sent"]);
  });
});
