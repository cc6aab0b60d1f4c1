/** The views of the dashboard (attention, sessions, figures, list) and of a captain's own day. */
import { readNextDays, readOwnSessions } from "#app/booking/dashboard.server.ts";
import { filterOf, listSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import type { Role } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { type Catalogue, findCounselorByKey, findCounselorByName } from "#app/model/catalogue.ts";
import {
  adminDate,
  adminDay,
  dateInIndia,
  daysBetween,
  formatSlot,
  instantOf,
  MINUTE,
} from "#app/model/dates.ts";
import { BLOCK_MINUTES, MASTER_TIMES } from "#app/model/day-plan.ts";
import { check } from "#app/model/fields.ts";
import { tableId } from "#app/model/ids.ts";
import { formatAmount, formatRupees } from "#app/model/money.ts";
import { mayDo } from "#app/model/roles.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { personName } from "#app/model/wording.ts";
import { helpView } from "#app/routes/admin/parts/help-view.server.ts";
import { listSearchOf, searchOf } from "#app/routes/admin/parts/list-search.ts";
import {
  attendanceView,
  ownSessionView,
  readListPage,
  statusNote,
} from "#app/routes/admin/parts/views.server.ts";
import { readPlansDue } from "#app/sessions/plan.server.ts";
import { attentionView } from "./attention-view.server.ts";
import { failuresView } from "./failures-view.server.ts";
import { firstStepsView } from "./first-steps.server.ts";

export type DashboardData = ReturnType<typeof readDashboard>;
export type RowView = DashboardData["rows"][number];
export type BoardCaptain = DashboardData["board"][number];
export type BoardDay = BoardCaptain["days"][number];
export type BoardSession = BoardDay["ahead"][number];

export function readDashboard(
  deps: ReadDeps,
  url: { pathname: string; search: string },
  { role }: { role: Role },
) {
  const catalogue = readCatalogue(deps.db);
  const { query, filter, ignored } = readFilters(catalogue, listSearchOf(url));
  const { sort } = query;
  const { rows, stats, refunded, page } = readListPage(deps, filter, query.page, sort);
  const now = deps.now();
  return {
    attention: attentionView(deps, mayDo(role, "refunds")),
    firstSteps: mayDo(role, "settings") ? firstStepsView(deps) : null,
    failures: mayDo(role, "operations") ? failuresView(deps) : null,
    board: readBoard(deps),
    /** The time of this view, milliseconds UTC, and its date in India. */
    now,
    today: dateInIndia(now),
    stats: {
      ...stats,
      revenue: formatRupees(Math.round(stats.totalRevenue * 100)),
      /** Null unless the list is filtered by refunds. */
      refunded: refunded === null ? null : formatRupees(Math.round(refunded * 100)),
    },
    filters: {
      startDate: query.startDate ?? "",
      endDate: query.endDate ?? "",
      // The address may hold a former name, `counselors` has the current one.
      counselor: findCounselorByName(catalogue, query.counselor ?? "")?.name ?? "",
      status: query.status ?? "",
      package: query.package ?? "",
      attendance: query.attendance ?? "",
      refunded: query.refunded ?? "",
      q: query.q ?? "",
      sort: sort ?? ("" as const),
    },
    /** Messages about invalid filters in the address, which were left out. */
    ignored,
    counselors: catalogue.counselors.map((counselor) => counselor.name),
    rows: rows.map((row) => rowView(row, now)),
    page,
    listSearch: searchOf({ ...query, page: page.number > 1 ? page.number : undefined }),
  };
}

/** The valid filters of the address, with a message about each invalid one. */
function readFilters(catalogue: Catalogue, search: string) {
  const given = Object.fromEntries(
    [...new URLSearchParams(search)].filter(([name]) => Object.hasOwn(listSchema.shape, name)),
  );
  const ignored: string[] = [];
  for (;;) {
    const query = check(listSchema, given);
    const filter = query.ok ? filterOf(catalogue, query.value) : query;
    if (query.ok && filter.ok) return { query: query.value, filter: filter.value, ignored };
    const errors = filter.ok ? {} : filter.errors;
    for (const [name, [message]] of Object.entries(errors ?? {})) {
      if (!Object.hasOwn(given, name)) continue;
      ignored.push(`${filterWords(name) ?? name} “${given[name]}”: ${message}.`);
      delete given[name];
    }
  }
}

const filterWords = lookUp<string, string>({
  startDate: "From",
  endDate: "To",
  counselor: "Counselor",
  status: "Status",
  package: "Package",
  attendance: "Attendance",
  refunded: "Refunds",
  q: "Search",
  sort: "Order",
  page: "Page",
});

function rowView(appointment: Appointment, now: number) {
  const { id } = appointment;
  return {
    id,
    tableId: tableId(id),
    name: personName(appointment.contact.name),
    email: appointment.contact.email,
    phone: appointment.contact.phone,
    student: appointment.student && personName(appointment.student.name),
    counselor: appointment.counselor,
    date: adminDate(appointment.date),
    time: formatSlot(appointment.timeSlot),
    package: `${appointment.minutes} min`,
    price: `${formatRupees(appointment.price.basePaise)} + GST`,
    status: appointment.status,
    /** More than the status says, for example that a hold has ended. */
    note: statusNote(appointment, now),
    amount: formatAmount(appointment.price.totalPaise),
    invoiced: appointment.invoiceNumber !== null,
    attendance: attendanceView(appointment, appointment.contact.name, now),
  };
}

const DAY_WORDS = ["Today", "Tomorrow"];

function readBoard(deps: ReadDeps) {
  const now = deps.now();
  return readNextDays(deps).map(({ name, days }) => {
    const next = days.flatMap(({ sessions }) => sessions).find(({ endsAt }) => endsAt > now)?.id;
    return {
      name,
      days: days.map(({ date, sessions }, i) => ({
        word: DAY_WORDS[i] ?? "",
        day: adminDay(date).replace(/, \d{4}$/, ""),
        over: sessions.filter((one) => one.endsAt <= now).map((one) => sessionLine(one)),
        ahead: sessions.filter((one) => one.endsAt > now).map((one) => sessionLine(one, next)),
      })),
    };
  });
}

function sessionLine(one: Appointment, nextId?: string) {
  const { id, contact, minutes, startsAt, endsAt } = one;
  return {
    id,
    name: personName(contact.name),
    time: formatSlot(one.timeSlot),
    facts: `${minutes} min${one.status === "rescheduled" ? ", moved" : ""}`,
    /** Only for the current session, or else the next one. */
    ...(id === nextId && { next: { startsAt, endsAt, phone: contact.phone } }),
  };
}

export type OwnDay = ReturnType<typeof readOwnDay>;

export function readOwnDay(deps: Pick<Deps, "db" | "now">, counselorKey: string) {
  const now = deps.now();
  const today = dateInIndia(now);
  const { next, fromToday, withoutAttendance } = readOwnSessions(deps, counselorKey);
  const others = Map.groupBy(
    fromToday.filter((one) => one !== next),
    ({ date }) => date,
  );
  return {
    counselor: findCounselorByKey(readCatalogue(deps.db), counselorKey)?.name ?? "",
    today,
    /** Half hours of today that are not over, starting with the current one. */
    timesLeft: MASTER_TIMES.filter(
      (time) => instantOf(today, time) + BLOCK_MINUTES * MINUTE > now,
    ).map((time) => ({ time, words: formatSlot(time) })),
    /** The time of this view, milliseconds UTC. */
    now,
    next: next && { ...ownSessionView(next, now), help: helpView(deps, next, next.calendarUid) },
    days: [...others].map(([date, sessions]) => ({
      date,
      word: DAY_WORDS[daysBetween(today, date)] ?? null,
      day: adminDay(date),
      sessions: sessions.map((one) => ownSessionView(one, now)),
    })),
    withoutAttendance: withoutAttendance.map((one) => ownSessionView(one, now)),
    /** Without the attendance buttons, since attendance is noted already. */
    withoutPlan: readPlansDue(deps, counselorKey).map((one) => ({
      ...ownSessionView(one, now),
      attendance: null,
    })),
  };
}
