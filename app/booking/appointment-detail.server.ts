/** Everything that staff see of one appointment. Read-only. */
import type { Deps } from "#app/core/deps.server.ts";
import { isId } from "#app/model/ids.ts";
import { listActivityOf } from "#db/queries/activity.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findInvoiceOf, listCreditNotesOf } from "#db/queries/documents.server.ts";
import { listMessages } from "#db/queries/messages.server.ts";
import { listPaymentsOf, listRefundsOf } from "#db/queries/payments.server.ts";
import { findPlanOfSession } from "#db/queries/plans.server.ts";
import { findAnswers, findGuardian } from "#db/queries/preparation.server.ts";
import { listDisputesOf } from "#db/queries/refunds.server.ts";

export type AppointmentDetail = NonNullable<ReturnType<typeof readAppointmentDetail>>;

/** Null for an unknown appointment. Payments, credit notes and history are sorted oldest first. */
export function readAppointmentDetail({ db }: Pick<Deps, "db">, id: string | undefined) {
  const appointment = isId(id) ? findAppointment(db, id) : null;
  if (!appointment) return null;
  const refunds = listRefundsOf(db, appointment.id);
  const disputes = listDisputesOf(db, appointment.id);
  const invoice = findInvoiceOf(db, appointment.id);
  return {
    appointment,
    payments: listPaymentsOf(db, appointment.id).map((payment) => ({
      ...payment,
      refunds: refunds.filter((refund) => refund.paymentId === payment.paymentId),
      disputes: disputes.filter((dispute) => dispute.paymentId === payment.paymentId),
    })),
    invoice: invoice && { number: invoice.number, date: invoice.onDate },
    creditNotes: listCreditNotesOf(db, appointment.id),
    answers: findAnswers(db, appointment.id),
    guardian: findGuardian(db, appointment.id),
    messages: listMessages(db, appointment.id),
    history: listActivityOf(db, appointment.id),
    plan: findPlanOfSession(db, appointment),
  };
}
