/** Messages as data: the kinds, who gets them, over which channel, and the events that cause them. */
import { z } from "zod";
import { type Actor, ROLES, type Role } from "./actor.ts";
import type { Appointment, Contact } from "./appointment.ts";
import type { MessageState } from "./statuses.ts";
import { unknownCode } from "./unknown-code.ts";

export type Audience = "customer" | "counselor" | "admin";
export type Channel = "email" | "whatsapp";

interface KindRule {
  audience: Audience;
  /** Also by WhatsApp, where it is configured and the customer has not opted out. */
  whatsapp: boolean;
  /** The message's name in the admin's list. */
  label: string;
}

function byMail(audience: Audience, label: string) {
  return { audience, label, whatsapp: false as const };
}

function byMailAndWhatsApp(label: string) {
  return { audience: "customer" as const, label, whatsapp: true as const };
}

export const MESSAGE_KINDS = {
  booking_confirmed: byMailAndWhatsApp("Booking confirmed"),
  booking_rescheduled: byMailAndWhatsApp("Session moved"),
  booking_cancelled: byMailAndWhatsApp("Session cancelled"),
  booking_unpaid: byMail("customer", "Booking not paid"),
  payment_link: byMail("customer", "Payment link"),
  reminder_24h: byMailAndWhatsApp("Reminder, one day before"),
  reminder_1h: byMailAndWhatsApp("Reminder, one hour before"),
  joining_changed: byMail("customer", "How it takes place changed"),
  payment_refunded: byMailAndWhatsApp("Extra payment sent back"),
  late_payment_refunded: byMailAndWhatsApp("Late payment refunded"),
  refund_under_way: byMailAndWhatsApp("Refund under way"),
  counselor_new: byMail("counselor", "New session"),
  counselor_moved: byMail("counselor", "Session moved"),
  counselor_corrected: byMail("counselor", "Contact corrected"),
  counselor_cancelled: byMail("counselor", "Session cancelled"),
  counselor_reminder: byMail("counselor", "Reminder for the captain"),
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
  admin_whatsapp_trouble: byMail("admin", "WhatsApp does not deliver"),
  admin_alert: byMail("admin", "Alert"),
  reset_code: byMail("admin", "Password reset code"),
  account_notice: byMail("admin", "Account notice"),
  team_invitation: byMail("admin", "Invitation to the team"),
  booking_links: byMail("customer", "Booking links"),
} as const satisfies Record<string, KindRule>;

export type MessageKind = keyof typeof MESSAGE_KINDS;

export function isMessageKind(kind: string): kind is MessageKind {
  return Object.hasOwn(MESSAGE_KINDS, kind);
}

export function messageLabel(kind: string): string {
  return isMessageKind(kind) ? MESSAGE_KINDS[kind].label : unknownCode(kind);
}

/** Mails that may be held back, and the milliseconds within which they are counted. */
export const HELD_BACK_KINDS: readonly MessageKind[] = [
  "booking_rescheduled",
  "booking_cancelled",
  "booking_unpaid",
  "booking_links",
];
export const HELD_BACK_WINDOW = 24 * 3_600_000;

/** Kinds that go to the customer by WhatsApp too, each with an approved template of that name. */
export type WhatsAppKind = {
  [K in MessageKind]: (typeof MESSAGE_KINDS)[K]["whatsapp"] extends false ? never : K;
}[MessageKind];

/** Who asked for a cancellation. */
export type CancelledBy = "customer" | "admin" | "provider";

export const ACCOUNT_NOTICES = {
  password_changed: "Your password was changed, and every other session was ended.",
  second_factor_on: "The second factor was turned on.",
  second_factor_off: "The second factor was turned off.",
  sessions_ended: "Your other sessions were ended.",
} as const;

export type AccountNotice = keyof typeof ACCOUNT_NOTICES;

/** What the owner is told of while it lasts, each at most once an hour. */
export const OWNER_ALERTS = ["sign_in_closed", "reset_flood", "hold_surge"] as const;

export type OwnerAlert = (typeof OWNER_ALERTS)[number];

/** What a template needs beyond the appointment. It holds no customer's name, address or phone number. */
export const messageDataSchema = z.object({
  /** Resends so far: each carries its own Message-ID, because mailboxes drop a known one. */
  resend: z.number().optional(),
  /** The start that a reminder or a move speaks of, milliseconds UTC. */
  startsAt: z.number().optional(),
  hours: z.union([z.literal(24), z.literal(1)]).optional(),
  /** The calendar sequence a move belongs to: a later move makes this message stale. */
  sequence: z.number().optional(),
  previousDate: z.string().optional(),
  previousTimeSlot: z.string().optional(),
  /** The key of the captain who had the session before. */
  previousCounselor: z.string().optional(),
  wasPaid: z.boolean().optional(),
  refundWanted: z.boolean().optional(),
  by: z.enum(["customer", "admin", "provider"]).optional(),
  corrected: z.boolean().optional(),
  reason: z.enum(["second", "wrong_amount"]).optional(),
  paymentId: z.string().optional(),
  refundId: z.string().optional(),
  /** A refund that did not go through at first. */
  again: z.boolean().optional(),
  amountPaise: z.number().optional(),
  disputeId: z.string().optional(),
  phase: z.string().optional(),
  error: z.string().optional(),
  counselor: z.string().optional(),
  at: z.number().optional(),
  /** A secret: erased as soon as the mail is sent or given up. */
  code: z.string().optional(),
  expiresAt: z.number().optional(),
  alert: z.enum(OWNER_ALERTS).optional(),
  findings: z
    .array(z.object({ subject: z.string(), says: z.string(), mend: z.string() }))
    .optional(),
  role: z.enum(ROLES).optional(),
  notice: z.enum(Object.keys(ACCOUNT_NOTICES) as [AccountNotice, ...AccountNotice[]]).optional(),
  appointmentIds: z.array(z.string()).optional(),
});

export type MessageData = z.infer<typeof messageDataSchema>;

export interface Message {
  id: string;
  cause: string;
  kind: MessageKind;
  channel: Channel;
  audience: Audience;
  recipient: string;
  appointmentId: string | null;
  data: MessageData;
  state: MessageState;
  attempts: number;
  lastError: string | null;
  transportId: string | null;
  /** Instants, milliseconds UTC. */
  notAfter: number | null;
  nextTryAt: number | null;
  createdAt: number;
  sentAt: number | null;
}

/**
 * Why messages are due. Each event is queued inside the transaction of its cause; the same event
 * twice makes no second message.
 */
export type MessageEvent =
  | { type: "confirmed"; appointment: Appointment }
  | {
      type: "contact_corrected";
      /** After the correction, with its raised version. */
      appointment: Appointment;
      changed: readonly (keyof Contact)[];
    }
  | {
      type: "rescheduled";
      /** After the move, with its raised version and calendar sequence. */
      appointment: Appointment;
      previous: {
        date: string;
        timeSlot: string;
        /** Where the session has gone to another captain. */
        counselor?: { key: string; email: string | null };
      };
      by: Actor["kind"];
    }
  /** Another meeting link, or a call in its place; with its raised calendar sequence. */
  | { type: "joining_changed"; appointment: Appointment }
  | {
      type: "cancelled";
      /** After the cancellation, with its raised calendar sequence. */
      appointment: Appointment;
      wasPaid: boolean;
      /** Null if nothing goes back. */
      refundId: string | null;
      by: CancelledBy;
    }
  /** Money came after the time was gone: the appointment is cancelled and refunded. */
  | { type: "late_payment"; appointment: Appointment; paymentId: string; amountPaise: number }
  /** A second or wrong payment goes back; the appointment stays as it is. */
  | {
      type: "payment_returned";
      appointment: Appointment;
      paymentId: string;
      amountPaise: number;
      reason: "second" | "wrong_amount";
    }
  /** The provider has accepted a refund, for the first time or after trouble. */
  | {
      type: "refund_accepted";
      refundId: string;
      /** The refund's key generation: a new try is told anew. */
      generation: number;
      paymentId: string;
      /** Null for money of no booking, and of one that was deleted. */
      appointment: Appointment | null;
      amountPaise: number;
      origin: "us" | "provider";
      /** Its credit note has just been issued, or was before. */
      credited: boolean;
      /** It had not gone through at first. */
      again: boolean;
    }
  | { type: "unpaid"; appointment: Appointment }
  /** Of a booking that staff made; again when they hold its time anew. */
  | { type: "payment_link"; appointment: Appointment }
  | { type: "reminder"; appointment: Appointment; hours: 24 | 1 }
  | {
      type: "refund_needs_person";
      refundId: string;
      /** The refund's key generation: a refund that fails again is told again. */
      generation: number;
      paymentId: string;
      appointmentId: string | null;
      amountPaise: number;
      error: string;
    }
  | { type: "unmatched_payment"; paymentId: string; amountPaise: number }
  | {
      type: "dispute";
      disputeId: string;
      paymentId: string;
      appointmentId: string | null;
      amountPaise: number;
      /** The provider's word: created, under_review, action_required, won, lost, closed. */
      phase: string;
    }
  | { type: "reset_code"; requestId: string; email: string; code: string; expiresAt: number }
  | { type: "account_notice"; requestId: string; email: string; notice: AccountNotice }
  | {
      type: "team_invitation";
      requestId: string;
      email: string;
      role: Role;
      /** Of the link. */
      code: string;
      expiresAt: number;
    }
  | { type: "booking_links"; requestId: string; email: string; appointmentIds: string[] }
  | { type: "backup_failed"; at: number; error: string }
  /** Of a copy that did not leave the machine: at most one in a day. */
  | { type: "off_site_failed"; at: number; error: string }
  /** What the doctor found newly wrong; nothing: all that was wrong is mended. */
  | { type: "doctor_found"; at: number; findings: NonNullable<MessageData["findings"]> }
  /** Queued once for each time that a calendar stops being read. */
  | {
      type: "calendar_unread";
      counselorKey: string;
      counselor: string;
      /** The first failed read. */
      since: number;
      error: string;
    }
  | { type: "whatsapp_trouble"; at: number; code: number | null; error: string }
  /** Queued by `alertOwner` alone, which keeps the hour between two of them. */
  | { type: "owner_alert"; alert: OwnerAlert; at: number };

/** The higher rank wins; a delivery report never takes a message back. */
export const STATE_RANK: Readonly<Record<MessageState, number>> = {
  held_back: 0,
  queued: 0,
  retrying: 0,
  failed: 1,
  sent: 2,
  delivered: 3,
  read: 4,
};
