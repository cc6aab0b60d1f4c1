/** A copy of a money world's file, and its restore: what the app did since is forgotten. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { restoreBackup } from "#db/restore.server.ts";
import { type Move, rowsOf } from "./money-picks.ts";

export const backUp: Move = async (world) => {
  const { folder } = world.store;
  const at = world.clock.now;
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  const path = join(folder, `bookings-${stamp}.db`);
  if (world.copies.some((copy) => copy.path === path)) return;
  world.db.runRaw("VACUUM INTO ?", [path]);
  world.copies.push({ path, at });
  world.note(`a copy is made: ${stamp}`);
};

/** Now and then the copy came over a network that dated it anew. */
export const restore: Move = async (world) => {
  const copy = world.copies.at(-1);
  const { folder } = world.store;
  if (!copy) return;
  for (const process of world.processes) process.stop();
  const { now } = world.clock;
  const dated = (world.dice.often(0.5) ? copy.at : now) / 1000;
  utimesSync(copy.path, dated, dated);
  const { seriesLetter } = await restoreBackup(copy.path, join(folder, "world.db"), now);
  for (const process of world.processes) process.start();
  world.restoredAt = now;
  world.byClockAt = 0;
  world.forPerson.clear();
  const statuses = new Map(rowsOf(world).map(({ id, status }) => [id, status]));
  for (const facts of world.bookings.values()) {
    facts.isDeleted = !statuses.has(facts.id);
    if (statuses.get(facts.id) !== "cancelled") facts.cancelled = null;
  }
  world.note(`the copy of ${new Date(copy.at).toISOString()} is restored: ${seriesLetter}`);
};
