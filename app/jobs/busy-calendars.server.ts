/** Reads captains' calendars, and tells the owner once of one that could not be read for a day. */

import { readDueCalendars } from "#app/availability/busy-calendars.server.ts";
import { type CalendarErrorCode, calendarErrorWords } from "#app/availability/calendar-rules.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { DAY } from "#app/model/duration.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { listFailingCalendars, updateBusyCalendar } from "#db/queries/busy-calendars.server.ts";

export async function runBusyCalendars(deps: Deps, signal: AbortSignal): Promise<void> {
  await readDueCalendars(deps, signal);
  if (tellOwner(deps)) deps.wake();
}

function tellOwner({ db, env, now }: Deps): boolean {
  const at = now();
  if (listFailingCalendars(db, at - DAY).length === 0) return false;
  return inTransaction(db, (tx) => {
    const failing = listFailingCalendars(tx, at - DAY);
    for (const { counselorKey, counselorName, failingSince, error } of failing) {
      queueMessages(tx, env, at, {
        type: "calendar_unread",
        counselorKey,
        counselor: counselorName,
        since: failingSince!,
        error: calendarErrorWords(error as CalendarErrorCode),
      });
      updateBusyCalendar(tx, counselorKey, { toldAt: at });
    }
    return failing.length > 0;
  });
}
