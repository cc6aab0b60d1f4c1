/** The money of a booking as its panel shows it, worded. */
import { href } from "react-router";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { adminDate, formatDeadline } from "#app/model/dates.ts";
import { isUndecided } from "#app/model/dispute.ts";
import { formatAmount } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import {
  isNothingDone,
  isStuck,
  type RefundTold,
  sumsFacts,
  sumsOf,
  toldState,
} from "#app/model/refund.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import { bookingUrl, siteOf } from "#app/notifications/templates/context.ts";
import { refundView } from "#app/routes/admin/parts/row-views.server.ts";
import { listDisputesOf } from "#db/queries/disputes.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";

/** What staff can still do about it, and the sums. */
export function moneyView(
  { env, now }: Pick<Deps, "env" | "now">,
  { appointment, payments }: AppointmentDetail,
) {
  const { id, status, source, window } = appointment;
  const sums = sumsOf(
    payments,
    payments.flatMap(({ refunds }) => refunds),
  );
  const isUnpaid = status === "pending_payment";
  return {
    sums: payments.length === 0 ? [] : sumsFacts(sums, formatAmount),
    mayMark: isUnpaid,
    mayRefund: appointment.paymentId !== null && sums.keptPaise > 0,
    payLink:
      isUnpaid && source === "staff" && window
        ? {
            url: bookingUrl(siteOf(env), id),
            until:
              window.payBefore > now()
                ? `It can be paid until ${formatDeadline(window.payBefore, now())}.`
                : "The time to pay has ended. Reschedule the booking, onto its own time too, to open it anew.",
          }
        : null,
  };
}

/** What staff should know before they refund; null without a dispute that is not decided yet. */
export function disputeWarning({ db }: Pick<Deps, "db">, appointmentId: string): string | null {
  const undecided = listDisputesOf(db, appointmentId).filter(isUndecided);
  if (undecided.length === 0) return null;
  const sum = formatAmount(undecided.reduce((all, { amountPaise }) => all + amountPaise, 0));
  return `The customer's bank disputes ${sum} of this payment. If the dispute is lost, what you refund now goes back twice. Please answer it in the payment provider's dashboard, and mention the refund there.`;
}

type Payment = AppointmentDetail["payments"][number];

/** How and when it came, where the provider does not tell it. */
export function sourceWords({ paymentId, method, reference, receivedOn }: Payment): string | null {
  const by = method && paymentMethodWords(method);
  if (!isOfflinePayment(paymentId)) return by ? `Paid online by ${by}` : null;
  return [
    `Paid outside by ${by}`,
    receivedOn && `received on ${adminDate(receivedOn)}`,
    reference && `reference ${reference}`,
  ]
    .filter(Boolean)
    .join(", ");
}

const byHandWords = (told: RefundTold) =>
  told === "paid_back" ? "Paid back by hand" : "Waits for you to pay it back by hand";

export function panelRefund(refund: StoredRefund) {
  const { id, way, note, reference } = refund;
  const view = refundView(refund);
  const isByHand = way === "by_hand";
  const maySettle = isStuck(refund) && (isByHand || isNothingDone(refund));
  return {
    ...view,
    words: isByHand ? byHandWords(toldState(refund)) : view.words,
    // Of one that is paid back by hand there is no fault to tell.
    error: isByHand ? null : view.error,
    reason: note,
    reference,
    settleTo: maySettle ? href("/admin/refunds/:id/settle", { id }) : null,
  };
}
