/**
 * Mixed load on a small machine: bookings with PDF, exports and backups side by side, under half of
 * a 512 MB machine for the heap. SOAK_SECONDS sets how long; `npm run soak` makes it 30 minutes.
 */
import { expect, it } from "vitest";
import { openDb } from "#db/connection.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { load, type Seen } from "./mixed-load.ts";

const SECONDS = Number(process.env.SOAK_SECONDS ?? 20);
const IS_LONG = SECONDS >= 300;
const MIB = 2 ** 20;
const LIMIT = 512 * MIB;
const METRICS_TOKEN = "soak";
const EVERY_MS = 500;
/** Milliseconds that a slow disk may take longer for one of each. */
const GRACE_MS = 60_000;
const BACKUPS = IS_LONG ? SECONDS / 120 : 1;
const KINDS = ["page", "slots", "invoice", "export", "cancel"];

const app = sharedApp({
  separateProcess: true,
  env: {
    METRICS_TOKEN,
    // A backup every 4 seconds in the short run, every minute in the long one.
    BACKUP_EVERY_HOURS: String((IS_LONG ? 60 : 4) / 3600),
    BACKUP_KEEP: "2",
    LOG_LEVEL: "warn",
  },
});

interface Sample {
  bytes: number;
  delaySeconds: number;
}

async function measure(): Promise<Sample> {
  const { text } = await app.api("/metrics", { token: METRICS_TOKEN });
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    bytes: read("process_resident_memory_bytes"),
    delaySeconds: read("event_loop_delay_p99_seconds"),
  };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const lastBackup = () =>
  app.db.firstRaw<{ value: string }>("SELECT value FROM setting WHERE key = 'last_backup'")?.value;

it("keeps serving, within its memory", {
  timeout: SECONDS * 1000 + GRACE_MS + 120_000,
}, async () => {
  const { data } = await app.api("/api/admin/login", { json: ADMIN });
  const { pid } = app.server!;
  const endsAt = Date.now() + SECONDS * 1000;
  const samples: Sample[] = [];
  const backups = new Set<string | undefined>();
  const isEnough = ({ statuses }: Seen) =>
    backups.size > BACKUPS && KINDS.every((kind) => statuses[`${kind} 200`]);
  const isOver = (seen: Seen) => {
    const late = Date.now() - endsAt;
    return late > GRACE_MS || (late > 0 && isEnough(seen));
  };
  let over = false;
  const watch = (async () => {
    while (!over) {
      samples.push(await measure());
      backups.add(lastBackup());
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  const seen = await load(app, data.token, isOver);
  over = true;
  await watch;

  // Warm-up is a fifth of the time: code is compiled, threads are made, caches are filled.
  const warm = samples.slice(Math.ceil(samples.length / 5)).map(({ bytes }) => bytes);
  const third = Math.ceil(warm.length / 3);
  const figures = {
    seconds: SECONDS,
    requests: Object.values(seen.statuses).reduce((sum, n) => sum + n, 0),
    paid: seen.bookings,
    backups: backups.size,
    rssMB: { first: median(warm.slice(0, third)), last: median(warm.slice(-third)), most: 0 },
    page: { median: median(seen.page), worst: Math.max(...seen.page) },
    loopDelayP99: median(samples.map(({ delaySeconds }) => delaySeconds)),
  };
  const { rssMB } = figures;
  rssMB.most = Math.max(...warm);
  for (const key of ["first", "last", "most"] as const) rssMB[key] = Math.round(rssMB[key] / MIB);
  console.log(JSON.stringify(figures), JSON.stringify(seen.statuses));

  expect(seen.faults.slice(0, 5)).toEqual([]);
  expect(app.server!.pid).toBe(pid);
  expect((await app.api("/health")).status).toBe(200);
  expect(seen.bookings).toBeGreaterThan(IS_LONG ? SECONDS / 10 : 0);
  expect(backups.size).toBeGreaterThan(BACKUPS);
  for (const kind of KINDS) {
    expect(seen.statuses[`${kind} 200`], kind).toBeGreaterThan(0);
  }
  expect(rssMB.most * MIB).toBeLessThan(LIMIT);
  // The short run ends while the heap still finds its size.
  if (IS_LONG) expect(rssMB.last - rssMB.first).toBeLessThan(rssMB.first * 0.1);
  const copy = openDb(app.env.DATABASE_PATH!, { readonly: true });
  expect(copy.driver.pragma("integrity_check", { simple: true })).toBe("ok");
  copy.close();
});
