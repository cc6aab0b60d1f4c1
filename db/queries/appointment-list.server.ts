/**
 * The appointments of a filter: a page of them, their figures, all of them for the export. One
 * builder makes the condition, so the list, the figures and the export never differ.
 */
import { sql } from "kysely";
import type { Appointment, AppointmentFilter, AppointmentSort } from "#app/model/appointment.ts";
import { rupeesOf } from "#app/model/money.ts";
import type { Db } from "#db/connection.server.ts";
import { type Condition, matchPerson, matchQuery } from "./appointment-search.server.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

/** Holds every column that is filtered, sorted and counted by. */
const LIST_INDEX = "appointment_for_list";
const CREATION_INDEX = "appointment_by_creation";
const AMOUNT_INDEX = "appointment_by_amount";

/**
 * `seq` last makes every order total: no row comes twice or never while paging. `index` has the order
 * already; it is read only if little or nothing is filtered out.
 */
const ORDER: Record<AppointmentSort, { by: string; index: string }> = {
  date: { by: "on_date, time_slot, seq", index: LIST_INDEX },
  "-date": { by: "on_date DESC, time_slot DESC, seq DESC", index: LIST_INDEX },
  created: { by: "created_at, seq", index: CREATION_INDEX },
  "-created": { by: "created_at DESC, seq DESC", index: CREATION_INDEX },
  amount: { by: "total_paise, seq", index: AMOUNT_INDEX },
  "-amount": { by: "total_paise DESC, seq DESC", index: AMOUNT_INDEX },
};

/** Looks up each appointment of a list of numbers. */
const SOUGHT = "json_each(?) sought CROSS JOIN appointment ON seq = sought.value";

/** Up to this many matches, looking up and sorting takes less time. */
const FEW = 2_000;

const DEFAULT_SORT: AppointmentSort = "-date";

export interface AppointmentStats {
  totalAppointments: number;
  confirmedAppointments: number;
  pendingPayments: number;
  /** Rupees, GST included: captured less refunds from the moment they are wanted. */
  totalRevenue: number;
}

export interface ListOptions {
  sort?: AppointmentSort | undefined;
  /** From 1. */
  page: number;
  pageSize: number;
}

/**
 * The page with the figures of the whole filtered set; the search runs once. `refunded` is the rupees
 * that went back, if the filter asks for refunded bookings.
 */
export function readAppointmentPage(
  db: Db,
  filter: AppointmentFilter,
  options: ListOptions,
): { rows: Appointment[]; stats: AppointmentStats; refunded: number | null } {
  const found = resolve(db, filter);
  const { refunded, ...stats } = statsOf(db, found);
  const seqs = listNumbers(db, found, options);
  return { rows: readRows(db, seqs), stats, refunded: filter.refunded ? refunded : null };
}

/** The numbers of at most `limit` appointments of the filter, in the list's order. */
export function listForExport(db: Db, filter: AppointmentFilter, limit: number): number[] {
  return seqsOf(db, resolve(db, filter), DEFAULT_SORT, limit, 0);
}

/** The newest bookings that the search field finds, at most `limit`; nothing is counted. */
export function seekAppointments(db: Db, q: string, limit: number): Appointment[] {
  const match = matchQuery(q);
  if (match === null) return [];
  // Not of a query around it, which would find all before it takes the newest.
  const sought = `${match.sql} ORDER BY seq DESC LIMIT ?`;
  const found = db.allRaw<{ seq: number }>(sought, [...match.parameters, limit]);
  return readRows(
    db,
    found.map(({ seq }) => seq),
  );
}

/** The rows of these numbers in their order; one deleted meanwhile is left out. */
export function readRows(db: Db, seqs: readonly number[]): Appointment[] {
  const wanted = sql<number>`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const rows = db.all(appointments.where("a.seq", "in", wanted));
  const bySeq = new Map(rows.map((row) => [row.seq, toAppointment(row)]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/** The filter with its search results, or null without a search term. */
export interface Resolved {
  filter: AppointmentFilter;
  found: { count: number; json: string } | null;
}

/** Runs the search once, for the figures and the list. */
export function resolve(db: Db, filter: AppointmentFilter): Resolved {
  const match = (filter.ofPerson ? matchPerson : matchQuery)(filter.q);
  if (match === null) return { filter, found: null };
  // By hand, like the search.
  const row = db.firstRaw<{ count: number; json: string }>(
    `SELECT count(*) AS count, json_group_array(seq) AS json FROM (${match.sql})`,
    match.parameters,
  )!;
  return { filter, found: row };
}

/** The condition on columns, without the search. */
function conditionOf(filter: AppointmentFilter): Condition {
  const { startDate, endDate, counselorKey, statuses, minutes, attendance, refunded } = filter;
  const parts: [sql: string, parameter: string | number | undefined][] = [
    ["on_date >= ?", startDate],
    ["on_date <= ?", endDate],
    ["counselor_key = ?", counselorKey],
    ["status IN (SELECT value FROM json_each(?))", statuses && JSON.stringify(statuses)],
    ["minutes = ?", minutes],
    ["coalesce(attendance, 'none') = ?", attendance],
    ["refunded_paise > ?", refunded ? 0 : undefined],
  ];
  const wanted = parts.filter(([, parameter]) => parameter !== undefined);
  return {
    sql: wanted.map(([sql]) => sql).join(" AND ") || "true",
    parameters: wanted.map(([, parameter]) => parameter),
  };
}

/** The figures of the whole filtered set. The tally has sums by counselor and status, without dates. */
export function statsOf(
  db: Db,
  { filter, found }: Resolved,
): AppointmentStats & { refunded: number } {
  const { startDate, endDate, minutes, attendance, refunded } = filter;
  const byTally =
    found === null &&
    [startDate, endDate, minutes, attendance, refunded].every((one) => one === undefined);
  const rows = byTally ? "sum(appointments)" : "count(*)";
  const all = byTally ? "appointment_tally" : `appointment INDEXED BY ${LIST_INDEX}`;
  const condition = conditionOf(filter);
  // By hand: the builder has no INDEXED BY, and none of its joins keeps the list of numbers first.
  const { kept, back, ...counts } = db.firstRaw<
    Omit<AppointmentStats, "totalRevenue"> & { kept: number; back: number }
  >(
    `SELECT coalesce(${rows}, 0) AS totalAppointments,
       coalesce(${rows} FILTER (WHERE status = 'confirmed'), 0) AS confirmedAppointments,
       coalesce(${rows} FILTER (WHERE status = 'pending_payment'), 0) AS pendingPayments,
       coalesce(sum(kept_paise), 0) AS kept,
       ${byTally ? "0" : "coalesce(sum(refunded_paise), 0)"} AS back
     FROM ${found === null ? all : SOUGHT} WHERE ${condition.sql}`,
    found === null ? condition.parameters : [found.json, ...condition.parameters],
  )!;
  return { ...counts, totalRevenue: rupeesOf(kept), refunded: rupeesOf(back) };
}

/** The numbers of a page's appointments in the list's order, to be read with `readRows`. */
export function listNumbers(db: Db, found: Resolved, options: ListOptions): number[] {
  const { sort = DEFAULT_SORT, page, pageSize } = options;
  return seqsOf(db, found, sort, pageSize, (page - 1) * pageSize);
}

function seqsOf(
  db: Db,
  { filter, found }: Resolved,
  sort: AppointmentSort,
  limit: number,
  offset: number,
): number[] {
  const condition = conditionOf(filter);
  const [from, where] = sourceOf(found, sort, condition);
  // By hand, for the same reasons.
  return db
    .allRaw<{ seq: number }>(
      `SELECT seq FROM ${from} WHERE ${where} ${condition.sql} ORDER BY ${ORDER[sort].by} LIMIT ? OFFSET ?`,
      [...(found === null ? [] : [found.json]), ...condition.parameters, limit, offset],
    )
    .map((row) => row.seq);
}

/** Few matches are looked up and sorted; with many, the order's index is read until the page is full. */
function sourceOf(
  found: Resolved["found"],
  sort: AppointmentSort,
  condition: Condition,
): [from: string, where: string] {
  const index = condition.parameters.length === 0 ? ORDER[sort].index : LIST_INDEX;
  if (found === null) return [`appointment INDEXED BY ${index}`, ""];
  if (found.count > FEW) {
    return [`appointment INDEXED BY ${index}`, "seq IN (SELECT value FROM json_each(?)) AND"];
  }
  return [SOUGHT, ""];
}
