/** The states that are stored. */

export const APPOINTMENT_STATUSES = [
  "pending_payment",
  "confirmed",
  "cancelled",
  "rescheduled",
] as const;

export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Paid, whether or not it has taken place. */
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
 * Why money came too late to pay its booking: the hold was over and somebody else has the time; the
 * booking had been cancelled; the session had begun.
 */
export const TOO_LATE = ["time_gone", "booking_cancelled", "session_begun"] as const;

export type TooLate = (typeof TOO_LATE)[number];

export function isTooLate(reason: string | undefined): reason is TooLate {
  return TOO_LATE.some((one) => one === reason);
}

/**
 * What became of a payment: `applied` pays its appointment; `authorized` and `failed` are no money
 * yet; the rest is refunded (`second`, `wrong_amount`, too late), waits for the admin
 * (`unmatched`), or was settled by them (`assigned`, `returned`).
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
 * Why a call to the payment provider failed. `unknown`: the provider may have done it, so look it
 * up before trying again. `rate` and `down`: nothing was done, try later. `rejected`: it will never
 * do this. `config`: our keys are wrong. `busy`: the same refund is being worked on. `balance`: our
 * account holds too little.
 */
export type ProviderFault =
  | "config"
  | "rejected"
  | "busy"
  | "balance"
  | "rate"
  | "down"
  | "unknown";

/** `held_back`: due, but a stranger may have named the address; `last_error` says why. */
export type MessageState =
  | "queued"
  | "retrying"
  | "sent"
  | "delivered"
  | "read"
  | "failed"
  | "held_back";
