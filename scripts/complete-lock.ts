/** `node scripts/run.mjs complete-lock`: after an `npm install`, adds what lock-file.ts finds missing. */
import { readFileSync, writeFileSync } from "node:fs";
import { type LockFile, missingEntries } from "#scripts/process/lock-file.ts";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
const missing = missingEntries(lock);
const all = Object.entries({ ...lock.packages, ...missing });
lock.packages = Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${Object.keys(missing).length} entries added to package-lock.json.`);
