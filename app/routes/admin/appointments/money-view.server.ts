/** The money of a booking as its panel shows it, worded. */
import { href } from "react-router";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { adminDate, formatDeadline } from "#app/model/dates.ts";
import { formatAmount } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { sumsFacts, sumsOf } from "#app/model/refund.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import { bookingUrl, siteOf } from "#app/notifications/templates/context.ts";
import { isNothingDone } from "#app/payments/retry-refund.server.ts";
import { refundView } from "#app/routes/admin/parts/row-views.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";

type Deps = { env: Env; now: () => number };

/** What staff can still do about it, and the sums. */
export function moneyView({ env, now }: Deps, { appointment, payments }: AppointmentDetail) {
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

export function panelRefund(refund: StoredRefund) {
  const { id, paymentId, note, reference, settledAt, state } = refund;
  const view = refundView(refund);
  const offline = isOfflinePayment(paymentId);
  const isStuck = state === "needs_person" || state === "failed";
  const maySettle =
    settledAt === null && (offline ? state !== "processed" : isStuck && isNothingDone(refund));
  return {
    ...view,
    words: settledAt
      ? "Paid back by hand"
      : offline
        ? "Waits for you to pay it back by hand"
        : view.words,
    // Of one that is paid back by hand there is no fault to tell.
    error: offline ? null : view.error,
    reason: note,
    reference,
    canRetry: view.canRetry && !offline && settledAt === null,
    settleTo: maySettle ? href("/admin/refunds/:id/settle", { id }) : null,
  };
}
