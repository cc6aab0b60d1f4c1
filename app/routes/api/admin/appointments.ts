/** Appointments: the list, a single one, bookings made by staff, and changes with their money. */
import { z } from "zod";
import { bookingIdAt, refuseAsked, refuseOthers } from "#app/auth/require-admin.server.ts";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { roomJson } from "#app/booking/appointment-json.ts";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { cancelAppointment, refundPart } from "#app/booking/cancel-and-refund.server.ts";
import {
  attendanceSchema,
  cancelSchema,
  editContactSchema,
  holdAgainSchema,
  noteOnlySchema,
  offlinePaymentSchema,
  refundSchema,
  rescheduleSchema,
  type StaffBooking,
  settleSchema,
  staffBookingSchema,
  versionOnlySchema,
} from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import {
  deleteAppointment,
  editContact,
  noteAttendance,
} from "#app/booking/edit-appointment.server.ts";
import {
  DEFAULT_PAGE_SIZE,
  filterOf,
  listSchema,
  MOST_ROWS_UNPAGED,
} from "#app/booking/list-fields.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { betweenSlices } from "#app/core/work-queue.server.ts";
import { keyed, running, slicedJson, withBody, withQuery } from "#app/http/json.server.ts";
import { check } from "#app/model/fields.ts";
import { rupeesOf } from "#app/model/money.ts";
import { NO_APPOINTMENT, success } from "#app/model/outcome.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { bookingUrl } from "#app/notifications/templates/content.ts";
import { holdAgain } from "#app/payments/hold-again.server.ts";
import { retryRefund, settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { planSchema } from "#app/sessions/fields.ts";
import { planJson, writePlan } from "#app/sessions/plan.server.ts";
import { listNumbers, readRows, resolve, statsOf } from "#db/queries/appointment-list.server.ts";
import { findAppointment, findSessionOf } from "#db/queries/appointments.server.ts";
import type { Made } from "#db/queries/holds.server.ts";
import { findRefund } from "#db/queries/payments.server.ts";
import { findPlanOfSession } from "#db/queries/plans.server.ts";
import { findAnswers } from "#db/queries/preparation.server.ts";
import {
  answersJson,
  appointmentDetailJson,
  changedAppointmentJson,
  changedJson,
  messageJson,
  refundJson,
  rowJson,
} from "./answers.ts";
import { type AdminCall, adminCalls, onceForKey, operation, operationWith } from "./call.server.ts";

const bookOnce = onceForKey(
  (deps, actor, _, body: StaffBooking) => bookForCustomer(deps, actor, body),
  ({ id }) => ({ appointmentId: id }),
);

const route = adminCalls({
  "api/admin/appointments": {
    GET: withQuery(listSchema, readList, ({ numbers, ...rest }, { deps, own }) => {
      const rowsOf = (some: readonly number[]) =>
        readRows(deps.db, some).map((row) => rowJson(row, own));
      return slicedJson("appointments", numbers, rowsOf, rest);
    }),
    POST: keyed(
      withBody(
        staffBookingSchema,
        (body, call) => {
          const made = bookOnce(body, call);
          const isPaidOutside = body.payment.by === "offline";
          return made.ok ? success({ id: made.value.appointmentId, isPaidOutside }) : made;
        },
        ({ id, isPaidOutside }, { deps }) => ({
          appointment: changedAppointmentJson(findAppointment(deps.db, id)!),
          payUrl: isPaidOutside ? null : bookingUrl(deps.env, id),
        }),
        201,
      ),
    ),
  },
  "api/admin/appointments/:id": {
    GET: running(readOne),
    // Checked in `edit`: a captain's call with a field they may not write is refused first.
    PATCH: withBody(z.looseObject({}), edit, changedJson),
    DELETE: operationWith(versionOnlySchema, deleteAppointment, ({ id }) => ({ id })),
  },
  "api/admin/appointments/:id/reschedule": {
    PUT: operationWith(
      rescheduleSchema,
      (deps, actor, id, { newTimeSlot: timeSlot, ...change }) =>
        rescheduleAppointment(deps, actor, id, { ...change, timeSlot }),
      (appointment) => ({ appointment: changedAppointmentJson(appointment) }),
    ),
  },
  "api/admin/appointments/:id/cancel": {
    POST: keyed(
      withBody(
        cancelSchema,
        onceForKey(cancelAppointment, ({ appointment, refund }) => ({
          appointmentId: appointment.id,
          refundId: refund?.id ?? null,
        })),
        (made, call) => {
          const refund = made.refundId ? findRefund(call.deps.db, made.refundId) : null;
          return {
            ...appointmentJson(made, call),
            refund: refund && { status: refund.state, amount: rupeesOf(refund.amountPaise) },
          };
        },
      ),
    ),
  },
  "api/admin/appointments/:id/payment": {
    POST: keyed(
      withBody(
        offlinePaymentSchema,
        onceForKey(markPaidOutside, ({ id }) => ({ appointmentId: id })),
        appointmentJson,
      ),
    ),
  },
  "api/admin/appointments/:id/hold": {
    POST: operationWith(holdAgainSchema, holdAgain, (held, { deps }) => ({
      appointment: changedAppointmentJson(held),
      payUrl: bookingUrl(deps.env, held.id),
    })),
  },
  "api/admin/appointments/:id/refund": {
    POST: keyed(
      withBody(
        refundSchema,
        onceForKey(refundPart, ({ id }, appointmentId) => ({ appointmentId, refundId: id })),
        ({ refundId }, { deps }) => ({ refund: refundJson(findRefund(deps.db, refundId ?? "")!) }),
      ),
    ),
  },
  "api/admin/appointments/:id/attendance": {
    PUT: withBody(
      attendanceSchema,
      (body, { deps, context, actor, named }: AdminCall) =>
        noteAttendance(deps, actor, bookingIdAt(context, named), body),
      changedJson,
    ),
  },
  "api/admin/appointments/:id/plan": {
    PUT: withBody(
      planSchema,
      (body, { deps, context, actor, named }: AdminCall) =>
        writePlan(deps, actor, bookingIdAt(context, named), body),
      (plan) => ({ plan: planJson(plan) }),
    ),
  },
  "api/admin/refunds/:id/retry": { POST: operation(retryRefund, refundJson) },
  "api/admin/refunds/:id/settle": {
    POST: operationWith(settleSchema, settleRefund, (refund) => ({ refund: refundJson(refund) })),
  },
  "api/admin/messages/:id/resend": { POST: operation(resendMessage, messageJson) },
});

async function readList(
  { page, pageSize, sort, ...filters }: z.output<typeof listSchema>,
  call: AdminCall,
) {
  const { deps, own } = call;
  // Captains see no amounts, so they may not sort or filter by them.
  if (own !== null && (sort?.endsWith("amount") || filters.refunded !== undefined)) {
    return refuseAsked(call);
  }
  const filter = filterOf(readCatalogue(deps.db), filters);
  if (!filter.ok) return filter;
  const others = refuseOthers(call, filter.value.counselorKey ?? own);
  if (others) return others;
  // Captains cannot search by e-mail address or booking id.
  const ownOnly = own === null ? {} : { counselorKey: own, ofPerson: true };
  const found = resolve(deps.db, { ...filter.value, ...ownOnly });
  await betweenSlices();
  const { refunded: _, totalRevenue, ...counts } = statsOf(deps.db, found);
  await betweenSlices();
  const isPaged = page !== undefined || pageSize !== undefined;
  const size = isPaged ? (pageSize ?? DEFAULT_PAGE_SIZE) : MOST_ROWS_UNPAGED;
  const number = page ?? 1;
  return success({
    numbers: listNumbers(deps.db, found, { sort, page: number, pageSize: size }),
    stats: { ...counts, ...(own === null ? { totalRevenue } : {}) },
    page: { number, size, total: counts.totalAppointments },
  });
}

function readOne(call: AdminCall) {
  const { deps, own, named } = call;
  if (own !== null) {
    const session = findSessionOf(deps.db, own, named);
    if (!session) return NO_APPOINTMENT;
    const { appointment } = changedJson(session, call);
    const parts = {
      student: appointment.student,
      room: roomJson(session),
      plan: planJson(findPlanOfSession(deps.db, session)),
      answers: answersJson(findAnswers(deps.db, session.id)),
    };
    return success({ appointment: { ...appointment, ...parts }, ...parts });
  }
  const detail = readAppointmentDetail(deps, named);
  return detail ? success(appointmentDetailJson(detail)) : NO_APPOINTMENT;
}

function edit(body: Record<string, unknown>, call: AdminCall) {
  const { deps, context, actor, own, named } = call;
  const isNote = (field: string) => Object.hasOwn(noteOnlySchema.shape, field);
  if (own !== null && !Object.keys(body).every(isNote)) return refuseAsked(call);
  const input = check(editContactSchema, body);
  if (!input.ok) return input;
  return editContact(deps, actor, bookingIdAt(context, named), input.value);
}

/** The appointment's current state, also for a repeated call. */
function appointmentJson({ appointmentId }: Made, { deps }: AdminCall) {
  return { appointment: changedAppointmentJson(findAppointment(deps.db, appointmentId)!) };
}

export { route as action, route as loader };
