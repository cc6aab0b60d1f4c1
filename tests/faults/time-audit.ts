/** No two live sessions of a counselor overlap: at the end, and at no moment before. */
import type { Selectable } from "kysely";
import type { SessionTimeTable } from "#db/tables.ts";
import { type Evidence, isPaidStatus, type Rules } from "./evidence.ts";

export const TIME_RULES: Rules = {
  "no two live sessions overlap": overlaps,
  "a live session keeps its time": occupied,
};

function* overlaps({ moments }: Evidence) {
  const stays = [...moments.values()].flatMap((states) =>
    states
      .map((state, i) => ({ ...state, until: states[i + 1]?.at ?? Number.POSITIVE_INFINITY }))
      .filter(({ status }) => isPaidStatus(status)),
  );
  for (const [i, a] of stays.entries()) {
    for (const b of stays.slice(i + 1)) {
      const sameTime = a.starts_at < b.ends_at && b.starts_at < a.ends_at;
      const sameMoment = a.at < b.until && b.at < a.until;
      if (a.id === b.id || a.counselor_key !== b.counselor_key) continue;
      if (!sameTime || !sameMoment) continue;
      const at = new Date(a.starts_at).toISOString();
      yield `${a.id} and ${b.id} of ${a.counselor_key} at ${at}`;
    }
  }
}

/** The table that keeps others away agrees with the appointments. */
function* occupied({ db, appointments }: Evidence) {
  const times = db.allRaw<Selectable<SessionTimeTable>>("SELECT * FROM session_time");
  const byAppointment = new Map(times.map((time) => [time.appointment_id, time]));
  for (const { id, status, hold_until, ...own } of appointments.values()) {
    const time = byAppointment.get(id);
    if (isPaidStatus(status)) {
      const same =
        time?.counselor_key === own.counselor_key &&
        time.starts_at === own.starts_at &&
        time.ends_at === own.ends_at;
      if (!same || time.held_until !== null) yield `paid and not occupying its time: ${id}`;
      if (hold_until !== null) yield `paid and still with a hold: ${id}`;
    } else if (status === "cancelled" && time) yield `cancelled and still occupying a time: ${id}`;
  }
}
