/** No two live sessions of a counselor overlap: at the end, and at no moment before. */
import { type Evidence, isPaidStatus, type Violation } from "./evidence.ts";
import type { Moment } from "./journal.ts";

/** A paid session as it stood for a while. */
interface Stay extends Moment {
  until: number;
}

export function auditTimes(evidence: Evidence): Violation[] {
  return [...overlaps(evidence), ...occupied(evidence)];
}

function overlaps({ moments }: Evidence): Violation[] {
  const stays: Stay[] = [...moments.values()].flatMap((states) =>
    states
      .map((state, i) => ({ ...state, until: states[i + 1]?.at ?? Number.POSITIVE_INFINITY }))
      .filter(({ status }) => isPaidStatus(status)),
  );
  const violations: Violation[] = [];
  for (const [i, a] of stays.entries()) {
    for (const b of stays.slice(i + 1)) {
      const sameTime = a.starts_at < b.ends_at && b.starts_at < a.ends_at;
      const sameMoment = a.at < b.until && b.at < a.until;
      if (a.id === b.id || a.counselor_key !== b.counselor_key) continue;
      if (!sameTime || !sameMoment) continue;
      violations.push({
        rule: "no two live sessions overlap",
        what: `${a.id} and ${b.id} of ${a.counselor_key} at ${new Date(a.starts_at).toISOString()}`,
        about: [a.id, b.id],
      });
    }
  }
  return violations;
}

/** The table that keeps others away agrees with the appointments. */
function occupied({ db, appointments }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const times = db.allRaw<{
    appointment_id: string;
    counselor_key: string;
    starts_at: number;
    ends_at: number;
    held_until: number | null;
  }>("SELECT * FROM session_time");
  const byAppointment = new Map(times.map((time) => [time.appointment_id, time]));
  for (const {
    id,
    status,
    counselor_key,
    starts_at,
    ends_at,
    hold_until,
  } of appointments.values()) {
    const time = byAppointment.get(id);
    const wrong = (what: string) =>
      violations.push({
        rule: "a live session keeps its time",
        what: `${what}: ${id}`,
        about: [id],
      });
    if (isPaidStatus(status)) {
      const same =
        time?.counselor_key === counselor_key &&
        time.starts_at === starts_at &&
        time.ends_at === ends_at;
      if (!same || time.held_until !== null) wrong("paid and not occupying its time");
      if (hold_until !== null) wrong("paid and still with a hold");
    } else if (status === "cancelled" && time) wrong("cancelled and still occupying a time");
  }
  return violations;
}
