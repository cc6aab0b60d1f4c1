/** What the booking status page shows, read in one go. Changes nothing. */
import { isFree } from "#app/availability/slots.ts";
import { findCounselorByKey } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid, PAYMENT_RENEWALS } from "#app/model/appointment.ts";
import { isId } from "#app/model/ids.ts";
import type { RefundState } from "#app/model/statuses.ts";
import { findAppointment, holdsTime } from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { hasCreditNote } from "#db/queries/documents.server.ts";
import { findOpenOrder, listPaymentsOf, listRefundsOf } from "#db/queries/payments.server.ts";

/**
 * `payable`: within the payment window. `renewable`: the window is over, the time can still be had.
 * `checking`: money is on its way and nobody is to pay twice. `over`: to be booked anew.
 */
export type PaymentState = "payable" | "renewable" | "checking" | "over" | "paid" | "none";

export interface BookingPage {
  appointment: Appointment;
  payment: {
    state: PaymentState;
    order: { orderId: string; amountPaise: number; currency: string } | null;
    /** Milliseconds UTC. */
    payBefore: number | null;
    holdUntil: number | null;
  };
  /** The newest refund of this booking. */
  refund: { state: RefundState; amountPaise: number } | null;
  /** Until when the customer may move or cancel it, milliseconds UTC; null if it cannot be. */
  selfServiceUntil: number | null;
  meeting: { kind: "link"; url: string } | { kind: "call"; phone: string };
  hasCreditNote: boolean;
}

/** An authorisation not captured by then goes back by itself; the reconciler hears of it. */
const CHECKING_MS = 30 * 60_000;

export function readBookingPage(
  deps: Pick<Deps, "db" | "env" | "now">,
  id: string | undefined,
): BookingPage | null {
  const appointment = isId(id) ? findAppointment(deps.db, id) : null;
  if (!appointment) return null;
  const now = deps.now();
  const order = findOpenOrder(deps.db, appointment.id);
  const refund = listRefundsOf(deps.db, appointment.id).at(-1);
  const cutoff = appointment.startsAt - deps.env.selfServiceCutoffHours * 3_600_000;
  const live = appointment.status !== "cancelled";
  return {
    appointment,
    payment: {
      state: paymentState(deps, appointment, now),
      order: order?.order_id
        ? { orderId: order.order_id, amountPaise: order.amount_paise, currency: order.currency }
        : null,
      payBefore: appointment.payBefore,
      holdUntil: appointment.holdUntil,
    },
    refund: refund ? { state: refund.state, amountPaise: refund.amount_paise } : null,
    selfServiceUntil: live && cutoff > now ? cutoff : null,
    meeting: meetingOf(appointment),
    hasCreditNote: hasCreditNote(deps.db, appointment.id),
  };
}

/** How the session takes place; a counselor no longer in the catalogue calls. */
function meetingOf(appointment: Appointment): BookingPage["meeting"] {
  const meeting = findCounselorByKey(appointment.counselorKey)?.meeting;
  if (meeting?.kind === "link") return meeting;
  return { kind: "call", phone: appointment.phone };
}

function paymentState(
  { db, env }: Pick<Deps, "db" | "env">,
  appointment: Appointment,
  now: number,
): PaymentState {
  if (isPaid(appointment)) return "paid";
  if (appointment.status !== "pending_payment") return "none";
  const underWay = listPaymentsOf(db, appointment.id).some(
    (payment) => payment.outcome === "authorized" && payment.updated_at > now - CHECKING_MS,
  );
  if (underWay) return "checking";
  if ((appointment.payBefore ?? 0) > now) return "payable";
  const { id, counselorKey, date, timeSlot, minutes, startsAt, renewals } = appointment;
  if (renewals >= PAYMENT_RENEWALS || startsAt <= now + env.minNoticeMinutes * 60_000)
    return "over";
  if (holdsTime(db, id, now)) return "renewable";
  const plan = readDayPlan(db, counselorKey, date, now, id);
  return isFree(plan, timeSlot, minutes) ? "renewable" : "over";
}
