/** Whether a message is still true when it is about to be sent. Pure. */
import { type Appointment, isHeld, isPaid } from "#app/model/appointment.ts";
import { isMessageKind, type Message } from "#app/model/messages.ts";
import { statusLabel } from "#app/model/wording.ts";

type Due = Pick<Message, "kind" | "data" | "notAfter" | "appointmentId">;

/**
 * Why a message must not go out any more, as the end of "Not sent: …", or null if it may. `now` is
 * milliseconds UTC; `appointment` is its present state, null if it is deleted or there is none.
 */
export function whyNotSent(
  message: Due,
  appointment: Appointment | null,
  now: number,
): string | null {
  if (!isMessageKind(message.kind)) return "its kind is not known.";
  if (message.notAfter !== null && now > message.notAfter) return "its moment has passed.";
  if (holdsCode(message.kind) && !message.data.code) return "its code is no longer kept.";
  if (message.appointmentId === null) return null;
  if (appointment === null) {
    // The admin hears about money even if its booking was deleted.
    return isAboutMoney(message.kind) ? null : "the appointment was deleted.";
  }
  return contradiction(message, appointment, now);
}

/** A secret that is sent once: whoever needs it again is sent another. */
export function holdsCode(kind: Message["kind"]): boolean {
  return kind === "reset_code" || kind === "team_invitation";
}

function isAboutMoney(kind: Message["kind"]): boolean {
  return kind.startsWith("admin_");
}

function contradiction(message: Due, appointment: Appointment, now: number): string | null {
  const { kind, data } = message;
  const status = statusLabel(appointment.status).toLowerCase();
  const unpaid = isPaid(appointment) ? null : `the appointment is now: ${status}.`;
  switch (kind) {
    case "booking_confirmed":
      return unpaid;
    case "counselor_new":
      // One that came from another captain may have gone on to the next.
      return unpaid ?? (data.sequence === undefined ? null : movedAgain(data, appointment));
    case "booking_rescheduled":
      if (appointment.status === "cancelled") return "the session was cancelled since.";
      return movedAgain(data, appointment) ?? begun(appointment, now);
    case "counselor_corrected":
      return unpaid ?? begun(appointment, now);
    case "joining_changed":
    case "counselor_joining_changed":
    case "counselor_moved":
      return unpaid ?? movedAgain(data, appointment) ?? begun(appointment, now);
    case "booking_cancelled":
    case "counselor_cancelled":
    case "late_payment_refunded":
      return appointment.status === "cancelled" ? null : `the appointment is now: ${status}.`;
    case "payment_link":
      if (appointment.status !== "pending_payment") return `the appointment is now: ${status}.`;
      return isHeld(appointment, now) ? null : "the time to pay has ended.";
    case "booking_unpaid":
      if (appointment.status !== "pending_payment") return `the appointment is now: ${status}.`;
      if (isHeld(appointment, now)) return "the time is kept again while the customer pays.";
      return begun(appointment, now);
    case "reminder_24h":
    case "reminder_1h":
    case "counselor_reminder":
      if (unpaid !== null) return unpaid;
      if (data.startsAt !== appointment.startsAt) return "the session was moved since.";
      return begun(appointment, now);
    default:
      return null;
  }
}

function movedAgain(data: Due["data"], appointment: Appointment): string | null {
  const same =
    data.sequence === appointment.calendarSequence && data.startsAt === appointment.startsAt;
  return same ? null : "the session was changed again since.";
}

function begun(appointment: Appointment, now: number): string | null {
  return now >= appointment.startsAt ? "the session has already begun." : null;
}
