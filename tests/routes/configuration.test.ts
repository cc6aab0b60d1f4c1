/** A start in production with a starred variable missing or wrong names it, and serves nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

quickPasswords();
const folder = scratchFolder();
const sandbox = sharedSandbox();
let start: (options: { env: Environment }) => Promise<{ close(): Promise<void> }>;
beforeAll(async () => {
  const built = join(import.meta.dirname, "../../build/server/index.js");
  ({ start } = await import(pathToFileURL(built).href));
});

/** On Linux the system says of it that a folder above is missing, however many are made. */
const NOWHERE = "/proc/nowhere";

let files = 0;
const faultsOf = (changes: Environment): Promise<string[]> => {
  files += 1;
  const path = join(folder, `${files}.db`);
  const all = { ...testEnvironment(0, path, sandbox), ...offSiteEnv(sandbox) };
  return start({ env: { ...all, RATE_LIMIT: undefined, ...changes } }).then(
    async (running) => {
      await running.close();
      return [];
    },
    (error: { faults?: string[] }) => {
      if (!error.faults) throw error;
      return error.faults;
    },
  );
};

describe("a start in production", () => {
  // One of the environment and one of the first account; the rest is tested beside them.
  it.each([
    ["SESSION_SECRET", "too short"],
    ["ADMIN_PASSWORD", "password1234"],
  ])("is refused for a wrong %s alone, in a sentence without it", async (name, wrong) => {
    const [fault, ...others] = await faultsOf({ [name]: wrong });
    expect([fault?.split(" ")[0], others]).toEqual([name, []]);
    expect(fault).not.toContain(wrong);
  });

  it("is refused for a folder of backups that is a file or cannot be made", async () => {
    const file = join(folder, "backups-file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "under"), NOWHERE]) {
      expect(await faultsOf({ BACKUP_DIR: path })).toEqual([
        expect.stringMatching(/^BACKUP_DIR .+ cannot be opened: .+$/),
      ]);
    }
  });

  it("is refused for a file that cannot be opened, or is no database", async () => {
    const text = join(folder, "text");
    writeFileSync(text, "no database".repeat(100));
    for (const path of [text, folder, join(text, "under.db"), join(NOWHERE, "x.db")]) {
      expect(await faultsOf({ DATABASE_PATH: path })).toEqual([
        expect.stringMatching(/^DATABASE_PATH .+ cannot be opened: .+$/),
      ]);
    }
  });
});
