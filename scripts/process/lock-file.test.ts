import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type LockFile, missingEntries } from "./lock-file.ts";

test("the lock file holds every platform's packages, so that npm ci accepts it everywhere", () => {
  const missing = missingEntries(readLock());
  expect(Object.keys(missing), "run: node scripts/run.mjs complete-lock").toEqual([]);
});

test("the lock file names no download address", () => {
  const addressed = Object.entries(readLock().packages).filter(([, entry]) => entry.resolved);
  expect(addressed).toEqual([]);
});

test("a missing package is added with its platform, one present at any level is not", () => {
  const lock: LockFile = {
    packages: {
      "": {},
      "node_modules/a": { dev: true, optionalDependencies: { "a-linux-arm64-musl": "1.0.0" } },
      "node_modules/b": { optionalDependencies: { "b-darwin-x64": "2.0.0", c: "3.0.0" } },
      "node_modules/b/node_modules/b-darwin-x64": { version: "2.0.0" },
      "node_modules/c": { version: "3.0.0" },
    },
  };
  expect(missingEntries(lock)).toEqual({
    "node_modules/a-linux-arm64-musl": {
      version: "1.0.0",
      dev: true,
      optional: true,
      os: ["linux"],
      cpu: ["arm64"],
      libc: ["musl"],
    },
  });
});

function readLock(): LockFile {
  return JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
}
