/** A start in production with a starred variable missing or wrong names it, and serves nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";

/**
 * Of each kind of check one: SESSION_SECRET is checked alone, BUSINESS_GSTIN beside BUSINESS_STATE,
 * ADMIN_PASSWORD for the first account.
 */
const WRONG: Readonly<Record<string, string>> = {
  SESSION_SECRET: "too short",
  BUSINESS_GSTIN: "29ABCDE1234F1ZX",
  ADMIN_PASSWORD: "password1234",
};

const folder = mkdtempSync(join(tmpdir(), "captain-sessions-"));
let sandbox: Sandbox;
let start: (options: { env: Environment }) => Promise<{ close(): Promise<void> }>;
beforeAll(async () => {
  sandbox = await startSandbox();
  const built = join(import.meta.dirname, "../../build/server/index.js");
  ({ start } = await import(pathToFileURL(built).href));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const faultsOf = (changes: Environment): Promise<string[]> => {
  files += 1;
  const path = join(folder, `${files}.db`);
  const env = { ...testEnvironment(0, path, sandbox), RATE_LIMIT: undefined, ...changes };
  return start({ env }).then(
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
  it("goes well with everything there", async () => {
    expect(await faultsOf({})).toEqual([]);
  });

  it.each(Object.entries(WRONG))(
    "is refused for %s alone, missing or wrong",
    async (name, wrong) => {
      for (const value of [undefined, "", "   "]) {
        const named = (await faultsOf({ [name]: value })).map((fault) => fault.split(" ")[0]);
        expect(named).toEqual([name]);
      }
      const [fault] = await faultsOf({ [name]: wrong });
      expect(fault?.split(" ")[0]).toBe(name);
      // The sentence is no place for a secret.
      if (/SECRET|PASSWORD/.test(name)) expect(fault).not.toContain(wrong);
    },
  );

  it.each(["ADMIN_USERNAME", "ADMIN_EMAIL"])("is refused without %s", async (name) => {
    const named = (await faultsOf({ [name]: undefined })).map((fault) => fault.split(" ")[0]);
    expect(named).toEqual([name]);
  });

  it("is refused for an email address of the first account that is none", async () => {
    const [fault] = await faultsOf({ ADMIN_EMAIL: "nobody" });
    expect(fault).toMatch(/^ADMIN_EMAIL /);
  });

  it("names what is missing of half-set copies off the machine, and every wrong value of whole ones", async () => {
    const whole = offSiteEnv(sandbox);
    const group = Object.keys(whole).filter((name) => name !== "BACKUP_S3_PREFIX");
    const names = async (changes: Environment) =>
      (await faultsOf({ ...whole, ...changes })).map((fault) => fault.split(" ")[0]!);
    expect(await names({})).toEqual([]);
    for (const name of group) expect(await names({ [name]: "" })).toEqual([name]);
    const alone = Object.fromEntries(group.slice(1).map((name) => [name, undefined]));
    expect(await names(alone)).toEqual(group.slice(1));

    const wrong = {
      BACKUP_S3_ENDPOINT: "http://store.example.in",
      BACKUP_S3_BUCKET: "No Bucket",
      BACKUP_ENCRYPTION_KEY: Buffer.alloc(31, 7).toString("base64"),
      BACKUP_S3_EVERY_HOURS: "never",
    };
    expect((await names(wrong)).sort()).toEqual(Object.keys(wrong).sort());
    const [fault] = await faultsOf({ ...whole, BACKUP_ENCRYPTION_KEY: "c2hvcnQ=" });
    expect(fault).toMatch(/^BACKUP_ENCRYPTION_KEY must be 32 bytes in base64/);
    expect(fault).not.toContain("c2hvcnQ");
    // A prefix alone asks for no copies.
    expect(await names({ ...alone, BACKUP_S3_ENDPOINT: undefined, BACKUP_S3_PREFIX: "x" })).toEqual(
      [],
    );
  });

  it("is refused for a file that cannot be opened, or is no database", async () => {
    const text = join(folder, "text");
    writeFileSync(text, "no database".repeat(100));
    for (const path of [text, folder, join(text, "under.db")]) {
      expect(await faultsOf({ DATABASE_PATH: path })).toEqual([
        expect.stringMatching(/^DATABASE_PATH .+ cannot be opened: .+$/),
      ]);
    }
  });
});
