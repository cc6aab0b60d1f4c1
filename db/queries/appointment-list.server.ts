/**
 * The appointments of a filter: a page of them, their figures, all of them for the export. One
 * builder makes the condition, so the list, the figures and the export never differ.
 */
import type { Appointment } from "#app/model/appointment.ts";
import type { AppointmentFilter, AppointmentSort } from "#app/model/appointment-filter.ts";
import { rupeesOf } from "#app/model/money.ts";
import type { Db } from "#db/connection.server.ts";
import { type Condition, matchQuery } from "./appointment-search.server.ts";
import { APPOINTMENT_COLUMNS, type AppointmentRow, toAppointment } from "./appointments.server.ts";

export type { AppointmentFilter, AppointmentSort } from "#app/model/appointment-filter.ts";

/** `seq` last makes every order total: no row comes twice or never while paging. */
const ORDER: Record<AppointmentSort, string> = {
  date: "on_date, time_slot, seq",
  "-date": "on_date DESC, time_slot DESC, seq DESC",
  created: "created_at, seq",
  "-created": "created_at DESC, seq DESC",
  amount: "total_paise, seq",
  "-amount": "total_paise DESC, seq DESC",
};

/** Holds every column that is filtered, sorted and counted by. */
const LIST_INDEX = "appointment_for_list";

/** What has the order already; read only where nothing or little is filtered out. */
const ORDER_INDEX: Record<AppointmentSort, string> = {
  date: LIST_INDEX,
  "-date": LIST_INDEX,
  created: "appointment_by_creation",
  "-created": "appointment_by_creation",
  amount: "appointment_by_amount",
  "-amount": "appointment_by_amount",
};

/** Up to here looking up and sorting is the shorter way. */
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

/** A page of the filter's appointments and the number of all of them. */
export function listAppointments(
  db: Db,
  filter: AppointmentFilter,
  options: ListOptions,
): { rows: Appointment[]; total: number } {
  const { rows, stats } = readAppointmentPage(db, filter, options);
  return { rows, total: stats.totalAppointments };
}

/** The page with the figures of the whole filtered set; what is sought is sought once. */
export function readAppointmentPage(
  db: Db,
  filter: AppointmentFilter,
  { sort = DEFAULT_SORT, page, pageSize }: ListOptions,
): { rows: Appointment[]; stats: AppointmentStats } {
  const found = resolve(db, filter);
  const stats = statsOf(db, found);
  const seqs = seqsOf(db, found, sort, pageSize, (page - 1) * pageSize);
  return { rows: readRows(db, seqs), stats };
}

/** The four figures over the existing appointments of the filter. */
export function readStats(db: Db, filter: AppointmentFilter): AppointmentStats {
  return statsOf(db, resolve(db, filter));
}

/** The numbers of at most `limit` appointments of the filter, in the list's order. */
export function listForExport(db: Db, filter: AppointmentFilter, limit: number): number[] {
  return seqsOf(db, resolve(db, filter), DEFAULT_SORT, limit, 0);
}

/** The rows of these numbers in their order; one deleted meanwhile is left out. */
function readRows(db: Db, seqs: readonly number[]): Appointment[] {
  return db
    .allRaw<AppointmentRow>(
      `SELECT ${APPOINTMENT_COLUMNS} FROM json_each(?) wanted
       CROSS JOIN appointment a ON a.seq = wanted.value ORDER BY wanted.key`,
      [JSON.stringify(seqs)],
    )
    .map(toAppointment);
}

/** The filter with its search done: the numbers found, or null where nothing is sought. */
interface Resolved {
  filter: AppointmentFilter;
  found: { count: number; json: string } | null;
}

function resolve(db: Db, filter: AppointmentFilter): Resolved {
  const match = matchQuery(filter.q);
  if (match === null) return { filter, found: null };
  const row = db.firstRaw<{ count: number; json: string }>(
    `SELECT count(*) AS count, json_group_array(seq) AS json FROM (${match.sql})`,
    match.parameters,
  )!;
  return { filter, found: row };
}

/** What the columns must be; the search is not part of it. */
function conditionOf({ startDate, endDate, counselorKey, status }: AppointmentFilter): Condition {
  const parts: [sql: string, parameter: string | undefined][] = [
    ["on_date >= ?", startDate],
    ["on_date <= ?", endDate],
    ["counselor_key = ?", counselorKey],
    ["status = ?", status],
  ];
  const wanted = parts.filter(([, parameter]) => parameter !== undefined);
  return {
    sql: wanted.map(([sql]) => sql).join(" AND ") || "true",
    parameters: wanted.map(([, parameter]) => parameter),
  };
}

function statsOf(db: Db, resolved: Resolved): AppointmentStats {
  const row = isByTally(resolved) ? readTally(db, resolved.filter) : countFigures(db, resolved);
  return {
    totalAppointments: row.total,
    confirmedAppointments: row.confirmed,
    pendingPayments: row.pending,
    totalRevenue: rupeesOf(row.kept),
  };
}

interface Figures {
  total: number;
  confirmed: number;
  pending: number;
  kept: number;
}

/** The tally is kept by counselor and status, and knows no dates. */
function isByTally({ filter, found }: Resolved): boolean {
  return found === null && filter.startDate === undefined && filter.endDate === undefined;
}

function readTally(db: Db, filter: AppointmentFilter): Figures {
  const condition = conditionOf(filter);
  return db.firstRaw<Figures>(
    `SELECT coalesce(sum(appointments), 0) AS total,
       coalesce(sum(appointments) FILTER (WHERE status = 'confirmed'), 0) AS confirmed,
       coalesce(sum(appointments) FILTER (WHERE status = 'pending_payment'), 0) AS pending,
       coalesce(sum(kept_paise), 0) AS kept
     FROM appointment_tally WHERE ${condition.sql}`,
    condition.parameters,
  )!;
}

function countFigures(db: Db, { filter, found }: Resolved): Figures {
  const condition = conditionOf(filter);
  const figures = `count(*) AS total, count(*) FILTER (WHERE status = 'confirmed') AS confirmed,
    count(*) FILTER (WHERE status = 'pending_payment') AS pending, coalesce(sum(kept_paise), 0) AS kept`;
  return db.firstRaw<Figures>(
    found === null
      ? `SELECT ${figures} FROM appointment INDEXED BY ${LIST_INDEX} WHERE ${condition.sql}`
      : `SELECT ${figures} FROM json_each(?) sought CROSS JOIN appointment ON seq = sought.value
         WHERE ${condition.sql}`,
    found === null ? condition.parameters : [found.json, ...condition.parameters],
  )!;
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
  return db
    .allRaw<{ seq: number }>(
      `SELECT seq FROM ${from} WHERE ${where} ${condition.sql} ORDER BY ${ORDER[sort]} LIMIT ? OFFSET ?`,
      [...(found === null ? [] : [found.json]), ...condition.parameters, limit, offset],
    )
    .map((row) => row.seq);
}

/** Few finds are looked up and sorted; among many the order's index soon meets a page of them. */
function sourceOf(
  found: Resolved["found"],
  sort: AppointmentSort,
  condition: Condition,
): [from: string, where: string] {
  const index = condition.parameters.length === 0 ? ORDER_INDEX[sort] : LIST_INDEX;
  if (found === null) return [`appointment INDEXED BY ${index}`, ""];
  if (found.count > FEW) {
    return [`appointment INDEXED BY ${index}`, "seq IN (SELECT value FROM json_each(?)) AND"];
  }
  return ["json_each(?) sought CROSS JOIN appointment ON seq = sought.value", ""];
}
