import { refuseAsked, refuseOthers } from "#app/auth/own-reach.server.ts";
import { actorOf, ownCounselor } from "#app/auth/require-admin.server.ts";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import {
  DEFAULT_PAGE_SIZE,
  filterOf,
  listSchema,
  MOST_ROWS_UNPAGED,
} from "#app/booking/list-fields.ts";
import { staffBookingSchema } from "#app/booking/staff-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { betweenSlices } from "#app/core/work-queue.server.ts";
import { failureJson, methods, slicedJson, withBody, withQuery } from "#app/http/json.server.ts";
import type { AppointmentFilter } from "#app/model/appointment-filter.ts";
import { bookingUrl, siteOf } from "#app/notifications/templates/context.ts";
import { listNumbers, readRows, resolve, statsOf } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Made } from "#db/queries/stored-answers.server.ts";
import { changedAppointmentJson, rowJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  GET: withQuery(listSchema, async ({ page, pageSize, sort, ...filter }, call) => {
    const { deps, context } = call;
    const own = ownCounselor(context);
    // Sums tell nothing to captains, nor do orders and filters by them.
    if (own !== null && (sort?.endsWith("amount") || filter.refunded !== undefined)) {
      return failureJson(refuseAsked(call));
    }
    const isPaged = page !== undefined || pageSize !== undefined;
    const size = isPaged ? (pageSize ?? DEFAULT_PAGE_SIZE) : MOST_ROWS_UNPAGED;
    const number = page ?? 1;
    const options = { sort, page: number, pageSize: size };
    const wanted = filterOf(readCatalogue(deps.db), filter);
    if (!wanted.ok) return failureJson(wanted);
    const others = refuseOthers(call, wanted.value.counselorKey ?? own);
    if (others) return failureJson(others);
    const within = own === null ? wanted.value : ownSessions(own, wanted.value);
    const found = resolve(deps.db, within);
    await betweenSlices();
    const { refunded: _, totalRevenue, ...counts } = statsOf(deps.db, found);
    await betweenSlices();
    const seqs = listNumbers(deps.db, found, options);
    const rowsOf = (some: readonly number[]) =>
      readRows(deps.db, some).map((row) => rowJson(context, row));
    return slicedJson("appointments", seqs, rowsOf, {
      stats: { ...counts, ...(own === null ? { totalRevenue } : {}) },
      page: { number, size, total: counts.totalAppointments },
    });
  }),

  POST: withBody(staffBookingSchema, (body, call) => {
    const { deps, context } = call;
    const work = () => bookForCustomer(deps, actorOf(context), body);
    const answer = ({ appointmentId }: Made) => {
      const isPaidOutside = body.payment.by === "offline";
      const payUrl = isPaidOutside ? null : bookingUrl(siteOf(deps.env), appointmentId);
      const appointment = findAppointment(deps.db, appointmentId)!;
      return { appointment: changedAppointmentJson(appointment), payUrl };
    };
    return onceForKey(call, body, work, ({ id }) => ({ appointmentId: id }), answer, 201);
  }),
});

/** By e-mail or id a captain finds nothing. */
function ownSessions(counselorKey: string, filter: AppointmentFilter): AppointmentFilter {
  return { ...filter, counselorKey, ofPerson: true };
}

export { route as action, route as loader };
