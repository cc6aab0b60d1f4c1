/** Unpaid holds that end later than any taken now would: they were taken under a clock gone ahead. */
import type { Deps } from "#app/core/deps.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { holdsTime, takeTime } from "#db/queries/hours.server.ts";
import { listHeldBeyond } from "#db/queries/reminders.server.ts";
import { longestHold, openWindow } from "./payment-window.ts";

/** Each gets a window that opens now; answers how many. */
export function endLongHolds({ db, env, now }: Pick<Deps, "db" | "env" | "now">): number {
  const at = now();
  const ids = listHeldBeyond(db, at + longestHold(env));
  for (const id of ids) {
    inTransaction(db, (tx) => {
      const appointment = findAppointment(tx, id);
      if (!appointment) return;
      const window = openWindow(env, at);
      updateAppointment(tx, id, at, { window });
      if (holdsTime(tx, id, at)) takeTime(tx, { ...appointment, window }, at);
    });
  }
  return ids.length;
}
