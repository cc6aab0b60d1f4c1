/** The list of erasures, beside the backups: one line of hashes each. It is never deleted. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, PRIVATE_FILE } from "./copy-files.ts";
import { type Erasure, erasureSchema } from "./queries/erasures.server.ts";

const NAME = "erasures.jsonl";

/** Empty without a list; unreadable lines are left out. */
export function readErasureList(folder: string): Erasure[] {
  let text: string;
  try {
    text = readFileSync(join(folder, NAME), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return parseErasures(text);
}

export function parseErasures(text: string): Erasure[] {
  return text.split("\n").flatMap((line) => {
    try {
      return erasureSchema.parse(JSON.parse(line));
    } catch {
      return [];
    }
  });
}

export function erasureLines(erasures: readonly Erasure[]): string {
  return erasures.map((erasure) => `${JSON.stringify(erasure)}\n`).join("");
}

/** Adds erasures that are missing. If it is interrupted, the old list stays. */
export function keepErasures(folder: string, erasures: readonly Erasure[]): void {
  const old = readErasureList(folder);
  const all = mergeErasures(old, erasures);
  if (all.length === old.length) return;
  makePrivateFolder(folder);
  const path = join(folder, NAME);
  writeFileSync(`${path}.partial`, erasureLines(all), { ...PRIVATE_FILE, flush: true });
  renameSync(`${path}.partial`, path);
}

/** Each once, oldest first. */
export function mergeErasures(...lists: (readonly Erasure[])[]): Erasure[] {
  const all = new Map(lists.flat().map((one) => [`${one.key} ${one.email} ${one.at}`, one]));
  return [...all.values()].sort((one, other) => one.at - other.at);
}
