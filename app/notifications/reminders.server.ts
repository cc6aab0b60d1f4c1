/** Messages caused by the clock: reminders before a session, one notice after an unpaid hold. */
import type { Deps } from "#app/core/deps.server.ts";
import { type ListedQueue, listedQueue, runQueue } from "#app/core/queue.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { DAY } from "#app/model/dates.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listAppointmentsToRemind, listUnpaidToNotify } from "#db/queries/reminders.server.ts";
import { queueMessages } from "./queue.server.ts";
import { REMINDERS } from "./reminder-plan.ts";

/** Milliseconds since the end of a hold after which no notice is sent, for example after an outage. */
const LONGEST_UNPAID = DAY;

/** Queues the due reminders, once per start time. Returns the number of sessions. */
export async function runReminders(deps: Deps, stop?: AbortSignal): Promise<number> {
  let count = 0;
  for (const rule of REMINDERS) {
    const { hours } = rule;
    count += await queueEach(deps, stop, {
      name: `reminders ${hours}h`,
      list: (db, which) => listAppointmentsToRemind(db, deps.now(), rule, which),
      eventOf: (appointment) => ({ type: "reminder", appointment, hours }),
    });
  }
  return count;
}

/** Queues one notice to each customer whose hold ended unpaid. Returns their number. */
export function runUnpaidNotices(deps: Deps, stop?: AbortSignal): Promise<number> {
  return queueEach(deps, stop, {
    name: "unpaid notices",
    list: (db, which) => listUnpaidToNotify(db, deps.now(), deps.now() - LONGEST_UNPAID, which),
    eventOf: (appointment) => ({ type: "unpaid", appointment }),
  });
}

interface Notice extends Pick<ListedQueue, "name" | "list"> {
  eventOf(appointment: Appointment): MessageEvent;
}

async function queueEach(deps: Deps, stop: AbortSignal | undefined, notice: Notice) {
  const queue = listedQueue(deps, {
    ...notice,
    work(tx, id) {
      const event = notice.eventOf(findAppointment(tx, id)!);
      queueMessages(tx, deps.env, deps.now(), event);
    },
  });
  const count = await runQueue(deps, queue, stop);
  if (count > 0) deps.wake();
  return count;
}
