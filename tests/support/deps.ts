/** What operations are given, over a file of its own and nothing outside. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { liveEnv } from "#app/core/live-env.server.ts";
import { createMetrics } from "#app/http/metrics.server.ts";
import { freshDb } from "./fresh-db.ts";

export type TestDeps = Awaited<ReturnType<typeof makeDeps>>;

/** The outside walls are missing: a test that touches one fails. */
export async function makeDeps(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "operations-"));
  const clock = { now: Date.now() };
  const db = await freshDb(join(folder, "test.db"));
  const parsed = parseEnv({ PUBLIC_URL: "http://127.0.0.1:3000", ...env });
  if (parsed.faults.length > 0) throw new Error(parsed.faults.join("\n"));
  let wakes = 0;
  const deps: Deps = {
    db,
    env: liveEnv(parsed.env, db),
    now: () => clock.now,
    log: pino({ level: "silent" }),
    provider: {} as Deps["provider"],
    documents: {} as Deps["documents"],
    rooms: null,
    senders: {} as Deps["senders"],
    metrics: createMetrics(db, () => clock.now),
    wake: () => {
      wakes += 1;
    },
  };
  return {
    deps,
    /** Milliseconds; the test moves it. */
    clock,
    /** How often the worker was woken. */
    wakes: () => wakes,
    close() {
      deps.metrics.close();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
