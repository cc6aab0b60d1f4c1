/** Counts and sums of existing appointments by session date, of the rows and columns of the list. */
import { INDIA_OFFSET } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import type { SessionFigures } from "#app/model/money.ts";
import { PAID } from "#app/model/statuses.ts";
import type { Db } from "#db/connection.server.ts";

/** Session dates, both inclusive; without a key of all captains. */
export interface SessionRange {
  from: string;
  to: string;
  counselorKey: string | null;
}

export interface SessionGroup extends SessionFigures {
  counselorKey: string;
  minutes: number;
}

const IS_PAID = `status IN (${PAID.map((status) => `'${status}'`).join()})`;

// By hand: the builder cannot say INDEXED BY. The list's index holds all that is read.
const IN_RANGE = `FROM appointment INDEXED BY appointment_for_list
  WHERE on_date >= @from AND on_date <= @to
    AND (@counselorKey IS NULL OR counselor_key = @counselorKey)`;

const GROUPS = `SELECT counselor_key AS counselorKey, minutes, count(*) AS booked,
    sum(${IS_PAID}) AS paid, sum(status = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE attendance = 'completed') AS completed,
    count(*) FILTER (WHERE attendance = 'no_show') AS noShow,
    sum(kept_paise) AS keptPaise, sum(refunded_paise) AS refundedPaise,
    sum(taken_back_paise) AS takenBackPaise,
    sum(kept_paise > 0) AS kept, sum(refunded_paise > 0) AS refunded,
    sum(taken_back_paise > 0) AS takenBack
  ${IN_RANGE} GROUP BY counselor_key, minutes`;

/** Days since 1970 of the session's date, less those of the day in India of its booking. */
const LEAD_DAYS = `SELECT unixepoch(on_date) / 86400 - (created_at + ${INDIA_OFFSET}) / ${DAY} AS days,
    count(*) AS count
  ${IN_RANGE} AND ${IS_PAID} GROUP BY 1 ORDER BY 1`;

/** One group for each captain and package that has sessions. */
export function sumSessions(db: Db, range: SessionRange): SessionGroup[] {
  return db.allRaw(GROUPS, [range]);
}

/** Paid sessions by the whole days from booking to session, dates in India. */
export function countLeadDays(db: Db, range: SessionRange): { days: number; count: number }[] {
  return db.allRaw(LEAD_DAYS, [range]);
}
