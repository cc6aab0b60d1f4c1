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

export type OrderState = "creating" | "open" | "paid" | "closed";

/**
 * What became of a payment: `applied` pays its appointment; `authorized` and `failed` are no money
 * yet; the rest is money that goes back (`second`, `wrong_amount`, `late`) or waits for the admin
 * (`unmatched`), or was settled by the admin (`assigned`, `returned`).
 */
export type PaymentOutcome =
  | "authorized"
  | "failed"
  | "applied"
  | "second"
  | "wrong_amount"
  | "late"
  | "unmatched"
  | "assigned"
  | "returned";

/** Why money of ours goes back; `by_staff`: a person wanted it, without cancelling. */
export type RefundReason =
  | "late"
  | "second"
  | "wrong_amount"
  | "cancelled"
  | "unmatched"
  | "by_staff";

export type RefundState = "wanted" | "sent" | "pending" | "processed" | "failed" | "needs_person";

/** `held_back`: due, and kept from an address that a stranger may have named; `last_error` says why. */
export type MessageState =
  | "queued"
  | "retrying"
  | "sent"
  | "delivered"
  | "read"
  | "failed"
  | "held_back";
