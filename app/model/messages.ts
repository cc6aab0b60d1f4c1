/** Messages as data: the kinds, who gets them, and over which channel. */
import { z } from "zod";
import { ROLES } from "./actor.ts";
import type { Appointment } from "./appointment.ts";
import { DAY } from "./dates.ts";
import { HELP_ASKS, HELP_SIDES } from "./help.ts";
import { type MessageState, TOO_LATE } from "./statuses.ts";
import { unknownCode } from "./unknown-code.ts";

export type Audience = "customer" | "counselor" | "admin";
export type Channel = "email" | "whatsapp";

/** `label` is the name in the admin's list. */
function byMail(audience: Audience, label: string) {
  return { audience, label, whatsapp: false } as const;
}

/** By WhatsApp if it is configured and the customer has not opted out. */
function byMailAndWhatsApp(label: string) {
  return { audience: "customer", label, whatsapp: true } as const;
}

export const MESSAGE_KINDS = {
  booking_confirmed: byMailAndWhatsApp("Booking confirmed"),
  booking_rescheduled: byMailAndWhatsApp("Session moved"),
  booking_cancelled: byMailAndWhatsApp("Session cancelled"),
  booking_unpaid: byMail("customer", "Booking not paid"),
  payment_link: byMailAndWhatsApp("Payment link"),
  guardian_asked: byMail("customer", "Guardian asked to confirm"),
  reminder_24h: byMailAndWhatsApp("Reminder, one day before"),
  reminder_1h: byMailAndWhatsApp("Reminder, one hour before"),
  joining_changed: byMail("customer", "How it takes place changed"),
  rating_request: byMail("customer", "Rating asked for"),
  session_plan: byMail("customer", "Plan after the session"),
  help_customer: byMail("customer", "Captain waits for the customer"),
  payment_refunded: byMailAndWhatsApp("Extra payment sent back"),
  late_payment_refunded: byMailAndWhatsApp("Late payment refunded"),
  refund_under_way: byMailAndWhatsApp("Refund under way"),
  counselor_new: byMail("counselor", "New session"),
  counselor_moved: byMail("counselor", "Session moved"),
  counselor_corrected: byMail("counselor", "Contact corrected"),
  counselor_joining_changed: byMail("counselor", "How it takes place changed"),
  counselor_cancelled: byMail("counselor", "Session cancelled"),
  counselor_reminder: byMail("counselor", "Reminder for the captain"),
  help_counselor: byMail("counselor", "Customer waits for the captain"),
  admin_help: byMail("admin", "Help at the hour of a session"),
  admin_late_refund: byMail("admin", "Late payment refunded"),
  admin_refund_needs_person: byMail("admin", "Refund needs a person"),
  admin_provider_refund: byMail("admin", "Refund made at the provider"),
  admin_backup_failed: byMail("admin", "Backup failed"),
  admin_off_site_failed: byMail("admin", "Copy not sent off"),
  admin_doctor: byMail("admin", "Found by the doctor"),
  admin_calendar_unread: byMail("admin", "Captain's calendar not read"),
  admin_wrong_amount: byMail("admin", "Payment of a wrong amount"),
  admin_unmatched_payment: byMail("admin", "Payment without a booking"),
  admin_dispute: byMail("admin", "Payment disputed"),
  admin_given_up: byMail("admin", "Given up"),
  admin_whatsapp_trouble: byMail("admin", "WhatsApp does not deliver"),
  admin_alert: byMail("admin", "Alert"),
  reset_code: byMail("admin", "Password reset code"),
  account_notice: byMail("admin", "Account notice"),
  test_mail: byMail("admin", "Test mail"),
  team_invitation: byMail("admin", "Invitation to the team"),
  booking_links: byMail("customer", "Booking links"),
} as const;

export type MessageKind = keyof typeof MESSAGE_KINDS;

export function isMessageKind(kind: string): kind is MessageKind {
  return Object.hasOwn(MESSAGE_KINDS, kind);
}

export function messageLabel(kind: string): string {
  return isMessageKind(kind) ? MESSAGE_KINDS[kind].label : unknownCode(kind);
}

/** Mails that are held back are a metric by kind. */
export const HELD_BACK_KINDS: readonly MessageKind[] = [
  "booking_rescheduled",
  "booking_cancelled",
  "booking_unpaid",
  "booking_links",
];
/** Milliseconds within which mails to an address are counted. */
export const HELD_BACK_WINDOW = DAY;

/**
 * How many of these mails an address gets within the window, because anybody can cause them with an
 * address alone. They are counted by an index of their own, `message_by_mailbox`.
 */
export const MOST_MAILS: ReadonlyMap<MessageKind, number> = new Map([
  ["booking_unpaid", 1],
  ["booking_links", 3],
]);

/** Kinds that also go by WhatsApp, each with an approved template of that name. */
export type WhatsAppKind = {
  [K in MessageKind]: (typeof MESSAGE_KINDS)[K]["whatsapp"] extends false ? never : K;
}[MessageKind];

export type CancelledBy = "customer" | "admin" | "provider";

export const ACCOUNT_NOTICES = {
  password_changed: "Your password was changed, and every other session was ended.",
  second_factor_on: "The second factor was turned on.",
  second_factor_off: "The second factor was turned off.",
  sessions_ended: "Your other sessions were ended.",
} as const;

export type AccountNotice = keyof typeof ACCOUNT_NOTICES;

/** Queues whose rows are finally given up: the provider's events, and our orders. */
const GIVING_UP = ["event", "order"] as const;

export type GivingUp = (typeof GIVING_UP)[number];

/** What the owner is notified of while it lasts, each at most once an hour. */
export const OWNER_ALERTS = ["sign_in_closed", "reset_flood", "hold_surge"] as const;

export type OwnerAlert = (typeof OWNER_ALERTS)[number];

/** Why a guardian is asked again: the name or address was corrected, or the session was moved. */
export type AskedAgain = "corrected" | "moved";

/** What a template needs beyond the appointment. Except for `appointment`, nothing personal. */
export const messageDataSchema = z.object({
  /**
   * Resends so far, by staff or after a failure that passes: each has its own Message-ID, because
   * mailboxes drop a known one and a report names its send.
   */
  resend: z.number().optional(),
  /** The start that a reminder or a move is about. */
  startsAt: z.number().optional(),
  hours: z.union([z.literal(24), z.literal(1)]).optional(),
  /** The calendar sequence of a move: a later move makes this message stale. */
  sequence: z.number().optional(),
  previousDate: z.string().optional(),
  previousTimeSlot: z.string().optional(),
  /** The key of the former captain. */
  previousCounselor: z.string().optional(),
  wasPaid: z.boolean().optional(),
  refundWanted: z.boolean().optional(),
  corrected: z.boolean().optional(),
  side: z.enum(HELP_SIDES).optional(),
  asks: z.enum(HELP_ASKS).optional(),
  /** The session's link was awaited. */
  first: z.boolean().optional(),
  /** Why the refund is made. */
  reason: z.enum(["second", "wrong_amount", ...TOO_LATE]).optional(),
  way: z.enum(["provider", "by_hand", "dashboard"]).optional(),
  paymentId: z.string().optional(),
  refundId: z.string().optional(),
  /** The refund had failed before; the guardian was asked before. */
  again: z.boolean().optional(),
  /** The guardian is asked again because the session was moved; otherwise because of a correction. */
  moved: z.boolean().optional(),
  amountPaise: z.number().optional(),
  disputeId: z.string().optional(),
  phase: z.string().optional(),
  status: z.string().optional(),
  respondBy: z.number().nullable().optional(),
  queue: z.enum(GIVING_UP).optional(),
  /** The key of the row that was given up. */
  key: z.string().optional(),
  error: z.string().optional(),
  counselor: z.string().optional(),
  at: z.number().optional(),
  /** A secret: erased once the mail is sent or given up. */
  code: z.string().optional(),
  expiresAt: z.number().optional(),
  alert: z.enum(OWNER_ALERTS).optional(),
  findings: z
    .array(z.object({ subject: z.string(), says: z.string(), mend: z.string() }))
    .optional(),
  role: z.enum(ROLES).optional(),
  notice: z.enum(Object.keys(ACCOUNT_NOTICES) as [AccountNotice, ...AccountNotice[]]).optional(),
  appointmentIds: z.array(z.string()).optional(),
  /** The appointment as it was, if it was deleted or erased before this was sent. */
  appointment: z.custom<Appointment>((value) => value instanceof Object).optional(),
});

export type MessageData = z.infer<typeof messageDataSchema>;

/** The higher rank wins: a delivery report never takes a message back. */
export const STATE_RANK: Readonly<Record<MessageState, number>> = {
  held_back: 0,
  queued: 0,
  retrying: 0,
  failed: 1,
  sent: 2,
  delivered: 3,
  read: 4,
};
