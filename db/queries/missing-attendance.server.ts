/** Paid sessions that are over, of which nobody has said whether they took place. */
import { expressionBuilder } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, literals, sqlite } from "#db/connection.server.ts";
import type { AppointmentTable, Tables } from "#db/tables.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

interface Ended {
  /** Instants, both inclusive, between which a session ended. */
  since: number;
  until: number;
  /** Absent: of all captains. */
  counselorKey?: string;
}

function isMissing({ since, until, counselorKey }: Ended) {
  const eb = expressionBuilder<Tables & { a: AppointmentTable }, "a">();
  return eb.and([
    eb("a.status", "in", literals(PAID)),
    eb("a.attendance", "is", null),
    eb("a.ends_at", ">=", since),
    eb("a.ends_at", "<=", until),
    ...(counselorKey === undefined ? [] : [eb("a.counselor_key", "=", counselorKey)]),
  ]);
}

/** No more than `atMost`: where nobody notes it, to count them all would take longer every year. */
export function countMissingAttendance(db: Db, ended: Ended, atMost: number): number {
  const some = sqlite.selectFrom("appointment as a").select("a.seq").where(isMissing(ended));
  return db.first(sqlite.selectFrom(some.limit(atMost).as("some")).select(COUNT))!.count;
}

/** Those that ended last. */
export function listMissingAttendance(db: Db, ended: Ended, limit: number): Appointment[] {
  const newest = appointments.where(isMissing(ended)).orderBy("a.ends_at", "desc").limit(limit);
  return db.all(newest).map(toAppointment);
}
