/** Bookings of distinct times, beside the same rows written by better-sqlite3 alone. */
import { COUNSELORS, DEFAULT_TIMES } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { BOOKED_DAYS } from "#scripts/bench/database.ts";
import { requestBytes } from "#scripts/bench/load.ts";
import type { Row } from "#scripts/bench/report.ts";
import { FLOOR_BUILD, type Setting } from "#scripts/bench/setting.ts";
import { compareThroughput } from "#scripts/bench/throughput.ts";

/** The longest the configuration admits: every booking needs a time of its own. */
export const WINDOW_DAYS = 3_660;

export async function bookings(setting: Setting, filled: string): Promise<Row[]> {
  const ours = setting.copy(filled, "bookings-ours.db");
  const theirs = setting.copy(filled, "bookings-floor.db");
  const app = await setting.startApp(ours, { BOOKING_WINDOW_DAYS: String(WINDOW_DAYS) });
  const floor = await setting.startFloor({ kind: "calls", build: FLOOR_BUILD, database: theirs });
  const name = "POST /api/appointments, distinct times";
  const row = await compareThroughput(
    { name, connections: 16, atLeast: 0.85, effort: setting.effort },
    { server: app, request: wishes("/api/appointments"), expect: 201 },
    { server: floor, request: wishes("/appointments"), expect: 201 },
  );
  await app.stop();
  await floor.stop();
  return [row];
}

/** Each call is the next free time of either captain; the count goes on from load to load. */
function wishes(path: string): () => Buffer {
  let n = 0;
  return () =>
    requestBytes(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish(n++)),
    });
}

/** The nth booking: no two are of one time. */
export function wish(n: number) {
  const day = BOOKED_DAYS + Math.floor(n / (COUNSELORS.length * DEFAULT_TIMES.length));
  if (day >= WINDOW_DAYS) throw new Error("no more free times: make the measurement shorter");
  return {
    name: "Meera Pillai",
    email: `meera.${n}@example.in`,
    phone: `98450${String(10_000 + (n % 90_000))}`,
    counselor: COUNSELORS[n % COUNSELORS.length]!.name,
    package: 30,
    date: addDays(dateInIndia(Date.now()), day),
    timeSlot: DEFAULT_TIMES[Math.floor(n / COUNSELORS.length) % DEFAULT_TIMES.length],
    packagePrice: 999,
  };
}
