/** A process of its own that books one captain's day in a shared file and reports how many it got. */
import { bookSession } from "#app/booking/book-session.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { openDb } from "#db/connection.server.ts";
import { bookingBody } from "./bookings.ts";

const [path = "", name = "", date = "", counselor = ""] = process.argv.slice(2);
const db = openDb(path);
db.driver.pragma("busy_timeout = 60000");
const { env } = parseEnv({ PUBLIC_URL: "http://127.0.0.1:3000", RATE_LIMIT: "off" });
const deps = { db, env, now: Date.now, metrics: { booking() {} } as never };
let won = 0;
for (let i = 0; i < MASTER_TIMES.length * 3; i++) {
  const minutes = [30, 45, 60][i % 3]!;
  const timeSlot = MASTER_TIMES[(i * 7) % MASTER_TIMES.length]!;
  const { packagePrice: _, ...input } = bookingBody({
    counselor,
    date,
    timeSlot,
    package: minutes,
    email: `${name}.${i}@example.in`,
  });
  const booked = bookSession(deps, { ...input, package: minutes }, { clientAddress: "192.0.2.1" });
  if (booked.ok) won += 1;
  else if (booked.code !== "slot_taken") throw new Error(booked.message);
}
db.close();
process.send?.(won, () => process.exit(0));
