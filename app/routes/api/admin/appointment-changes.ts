/** Changes of one appointment, its payments, refunds and messages. */
import { bookingIdAt } from "#app/auth/require-admin.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import {
  attendanceSchema,
  cancelSchema,
  holdAgainSchema,
  offlinePaymentSchema,
  refundSchema,
  rescheduleSchema,
  settleSchema,
} from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import { noteAttendance } from "#app/booking/edit-appointment.server.ts";
import { refundPart } from "#app/booking/refund-part.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { withBody } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { bookingUrl } from "#app/notifications/templates/content.ts";
import { holdAgain } from "#app/payments/hold-again.server.ts";
import { retryRefund, settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { planSchema } from "#app/sessions/fields.ts";
import { planJson, writePlan } from "#app/sessions/plan.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Made } from "#db/queries/holds.server.ts";
import { findRefund } from "#db/queries/payments.server.ts";
import { changedAppointmentJson, changedJson, messageJson, refundJson } from "./answers.ts";
import { type AdminCall, adminCalls, onceForKey, operation, operationWith } from "./call.server.ts";

const route = adminCalls({
  "api/admin/appointments/:id/reschedule": {
    PUT: operationWith(
      rescheduleSchema,
      (deps, actor, id, { newTimeSlot: timeSlot, ...change }) =>
        rescheduleAppointment(deps, actor, id, { ...change, timeSlot }),
      (appointment) => ({ appointment: changedAppointmentJson(appointment) }),
    ),
  },
  "api/admin/appointments/:id/cancel": {
    POST: withBody(
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
  },
  "api/admin/appointments/:id/payment": {
    POST: withBody(
      offlinePaymentSchema,
      onceForKey(markPaidOutside, ({ id }) => ({ appointmentId: id })),
      appointmentJson,
    ),
  },
  "api/admin/appointments/:id/hold": {
    POST: operationWith(holdAgainSchema, holdAgain, (held, { deps }) => ({
      appointment: changedAppointmentJson(held),
      payUrl: bookingUrl(deps.env, held.id),
    })),
  },
  "api/admin/appointments/:id/refund": {
    POST: withBody(
      refundSchema,
      onceForKey(refundPart, ({ id }, appointmentId) => ({ appointmentId, refundId: id })),
      ({ refundId }, { deps }) => ({ refund: refundJson(findRefund(deps.db, refundId ?? "")!) }),
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

/** The appointment's current state, also for a repeated call. */
function appointmentJson({ appointmentId }: Made, { deps }: AdminCall) {
  return { appointment: changedAppointmentJson(findAppointment(deps.db, appointmentId)!) };
}

export { route as action, route as loader };
