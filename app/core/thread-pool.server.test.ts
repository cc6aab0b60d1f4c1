import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { openPool } from "./thread-pool.server.ts";

const folder = mkdtempSync(join(tmpdir(), "sessions-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("ends its thread when idle, and does what is asked for after, or just then", async () => {
  const file = join(folder, "thread.mjs");
  writeFileSync(file, "export default (n) => n * 2;");
  const idleMs = 50;
  const pool = openPool<number, number>(file, { memoryMb: 64, idleMs });
  try {
    expect(pool.threads).toHaveLength(0);
    for (const late of [-1, 0, 1, 2]) {
      expect(await pool.run(late)).toBe(late * 2);
      await wait(idleMs + late);
    }
    expect(await pool.run(21)).toBe(42);
    expect(pool.threads).toHaveLength(1);
    await expect.poll(() => pool.threads.length, { timeout: 10_000 }).toBe(0);
  } finally {
    await pool.destroy();
  }
});
