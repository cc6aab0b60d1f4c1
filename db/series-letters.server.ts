/**
 * The two letters in the document numbers of a file that was put back, so that none given before can
 * come again. Those given on this machine are listed beside the backups: neither an older copy nor a
 * damaged file knows them. The list is never deleted.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, PRIVATE_FILE } from "./copy-files.ts";

const NAME = "series-letters.txt";

/** Empty without a list. */
export function readLetters(folder: string): string[] {
  const path = join(folder, NAME);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}

export function keepLetters(folder: string, letters: string): void {
  makePrivateFolder(folder);
  appendFileSync(join(folder, NAME), `${letters}\n`, { ...PRIVATE_FILE, flush: true });
}

/**
 * They count the seconds, so that restores of one old copy on machines that know nothing of each other
 * differ too, but for one pair in 676; the next free ones if the second's are taken.
 */
export function nextLetters(used: ReadonlySet<string>, now: number): string {
  for (let n = Math.floor(now / 1000); ; n++) {
    const letters = String.fromCharCode(65 + (Math.floor(n / 26) % 26), 65 + (n % 26));
    if (!used.has(letters)) return letters;
  }
}
