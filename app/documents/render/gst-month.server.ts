/** The data of a month's workbook. */
import { addDays, instantOf } from "#app/model/dates.ts";
import type { Month } from "#app/model/month.ts";
import type { Db } from "#db/connection.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong } from "#db/queries/documents.server.ts";
import {
  countUndatedDocuments,
  listGstDocuments,
  listSessionPayments,
  readLedgerParts,
} from "#db/queries/reports.server.ts";
import {
  listMovements,
  listSettlements,
  listUnsettled,
  settlementsSince,
} from "#db/queries/settlements.server.ts";

export type GstMonth = ReturnType<typeof readMonth>;

export function readMonth(db: Db, { from, to }: Month) {
  const range = { startDate: from, endDate: to };
  const [begin, end] = [instantOf(from, "00:00"), instantOf(addDays(to, 1), "00:00")];
  // Settlements before `since` were never read, so earlier payments are not known to be unsettled.
  const since = settlementsSince(db, true) ?? settlementsSince(db, false) ?? end;
  const { stats } = readAppointmentPage(db, range, { page: 1, pageSize: 1 });
  return {
    documents: listGstDocuments(db, from, to),
    undated: countUndatedDocuments(db),
    numberedAmong: listNumberedAmong(db, from, to),
    parts: readLedgerParts(db, from, to),
    payments: listSessionPayments(db, from, to),
    settlements: listSettlements(db, begin, end, true),
    settlementsInBooks: listSettlements(db, begin, end, false),
    unsettled: listUnsettled(db, { from: since, to: end, foreignTo: end, settledBefore: end }),
    movements: listMovements(db, begin, end),
    /** The revenue that the list of appointments shows for the same dates. */
    revenuePaise: Math.round(stats.totalRevenue * 100),
  };
}
