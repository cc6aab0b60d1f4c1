/** Books for a browser that may have an unpaid booking already, and may be paying it right now. */
import { type Booked, bookSession } from "#app/booking/book-session.server.ts";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { bookingToChange } from "#app/booking/held-booking.server.ts";
import { isUnderWay } from "#app/booking/payment-under-way.ts";
import type { BookingOrigin } from "#app/booking/wish.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { findOpenOrder } from "#db/queries/payments.server.ts";
import { isMoney } from "./judge-payment.ts";
import { applyReports, readOrder } from "./payment-report.server.ts";
import { orNull } from "./readable.ts";

/**
 * As `bookSession`, after a look at the provider where the wish would change a booking that can be
 * paid: what was paid is applied first. Refusal beside its own: `provider_unavailable`.
 */
export async function bookOrMove(
  deps: Deps,
  input: BookingInput,
  origin: BookingOrigin,
): Promise<Outcome<Booked>> {
  const own = bookingToChange(deps, input, origin);
  const paying = own ? await isBeingPaid(deps, own.id) : success(false);
  if (!paying.ok) return paying;
  return bookSession(deps, input, { ...origin, underWay: paying.value ? own!.id : null });
}

async function isBeingPaid(deps: Deps, appointmentId: string): Promise<Outcome<boolean>> {
  const order = findOpenOrder(deps.db, appointmentId);
  if (!order?.orderId) return success(false);
  const reports = await orNull(deps, "payments", readOrder(deps, order.orderId));
  if (!reports) return CANNOT_SEE;
  if (reports.some(({ payment }) => isMoney(payment))) applyReports(deps, reports);
  const now = deps.now();
  return success(reports.some(({ payment }) => isUnderWay(payment.status, payment.createdAt, now)));
}

const CANNOT_SEE = failure(
  "provider_unavailable",
  "We cannot tell right now whether the time you hold is being paid for, so nothing was changed. Please try again in a moment.",
  { retryAfter: 5 },
);
