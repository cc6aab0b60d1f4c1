import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockEntry {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, LockEntry>;
};

/** Looks where Node looks: in the package's own folder, then in each folder above. */
function isPresent(path: string, name: string): boolean {
  if (packages[`${path === "" ? "" : `${path}/`}node_modules/${name}`]) return true;
  if (path === "") return false;
  return isPresent(path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/**
 * `npm install` leaves out what the registry in use does not hold (the binaries for other systems), and
 * `npm ci` then refuses the lock file everywhere. Add such an entry by hand: its version, `optional`, and
 * `os`, `cpu` and `libc` as its name says.
 */
test("the lock file holds every platform's packages, so that npm ci accepts it everywhere", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isPresent(path, name)),
  );
  expect(missing).toEqual([]);
});

test("the lock file names no download address", () => {
  expect(Object.entries(packages).filter(([, entry]) => entry.resolved)).toEqual([]);
});
