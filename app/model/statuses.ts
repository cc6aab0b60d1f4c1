/** The states that are stored. */

export const APPOINTMENT_STATUSES = [
  "pending_payment",
  "confirmed",
  "cancelled",
  "rescheduled",
] as const;

export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Paid and still to take place, or taken place. */
export const PAID = ["confirmed", "rescheduled"] as const;

/** Who made the booking. */
export type AppointmentSource = "visitor" | "staff";

/** Whether a session took place; a fact beside the status. */
export const ATTENDANCES = ["completed", "no_show"] as const;

export type Attendance = (typeof ATTENDANCES)[number];

/** How money is received outside the payment provider. */
export const OFFLINE_METHODS = ["cash", "upi", "bank_transfer", "card"] as const;

export type OrderState = "creating" | "open" | "paid" | "closed";

/**
 * Why money that came for a booking cannot pay it: its hold was over and its time is somebody else's;
 * the booking had been cancelled; the session had begun.
 */
export const TOO_LATE = ["time_gone", "booking_cancelled", "session_begun"] as const;

export type TooLate = (typeof TOO_LATE)[number];

export function isTooLate(reason: string | undefined): reason is TooLate {
  return TOO_LATE.some((one) => one === reason);
}

/**
 * What became of a payment: `applied` pays its appointment; `authorized` and `failed` are no money
 * yet; the rest is money that goes back (`second`, `wrong_amount`, too late) or waits for the admin
 * (`unmatched`), or was settled by the admin (`assigned`, `returned`).
 */
export type PaymentOutcome =
  | "authorized"
  | "failed"
  | "applied"
  | "second"
  | "wrong_amount"
  | TooLate
  | "unmatched"
  | "assigned"
  | "returned";

/**
 * Why a call to the payment provider brought no answer. `unknown`: the provider may have done it, so
 * look it up before trying again. `rate` and `down`: nothing was done, try later. `rejected`: it will
 * never do this. `config`: our keys are wrong. `busy`: the same refund is being worked on. `balance`:
 * no money.
 */
export type ProviderFault =
  | "config"
  | "rejected"
  | "busy"
  | "balance"
  | "rate"
  | "down"
  | "unknown";

/** `held_back`: due, and kept from an address that a stranger may have named; `last_error` says why. */
export type MessageState =
  | "queued"
  | "retrying"
  | "sent"
  | "delivered"
  | "read"
  | "failed"
  | "held_back";
