/** The events that cause messages. */
import type { Actor, Role } from "./actor.ts";
import type { Appointment, Contact } from "./appointment.ts";
import type { HelpAsk, HelpSide } from "./help.ts";
import type {
  AccountNotice,
  AskedAgain,
  CancelledBy,
  GivingUp,
  MessageData,
  OwnerAlert,
} from "./messages.ts";
import type { RefundWay } from "./refund.ts";
import type { TooLate } from "./statuses.ts";

/** A payment that is refunded in full. */
interface MoneyBack {
  appointment: Appointment;
  paymentId: string;
  /** Of the payment, in paise. */
  amountPaise: number;
  refundId: string | null;
}

/**
 * Why messages are due. Each event is queued inside the transaction of its cause; a repeated event
 * makes no second message.
 */
export type MessageEvent =
  | { type: "confirmed"; appointment: Appointment }
  | {
      type: "contact_corrected";
      /** After the correction, with its raised version. */
      appointment: Appointment;
      changed: readonly (keyof Contact | "studentName")[];
      /** Whether a link to pay has gone, or was to go, by WhatsApp. */
      wasLinkedByWhatsApp?: boolean;
    }
  | {
      type: "rescheduled";
      /** After the move, with its raised version and calendar sequence. */
      appointment: Appointment;
      previous: {
        date: string;
        timeSlot: string;
        /** The former captain, if another one has the session now. */
        counselor?: { key: string; email: string | null };
      };
      by: Actor["kind"];
    }
  /** The session has another meeting link, or a call instead; with its raised calendar sequence. */
  | {
      type: "joining_changed";
      appointment: Appointment;
      /** Its link was awaited, and is here. */
      isFirst?: boolean;
    }
  | {
      type: "cancelled";
      /** After the cancellation, with its raised calendar sequence. */
      appointment: Appointment;
      wasPaid: boolean;
      /** Null if nothing is refunded. */
      refundId: string | null;
      by: CancelledBy;
    }
  /** Money came too late to pay the appointment, which is cancelled; it is refunded. */
  | (MoneyBack & { type: "late_payment"; reason: TooLate })
  /** A second or wrong payment is refunded; the appointment stays as it is. */
  | (MoneyBack & { type: "payment_returned"; reason: "second" | "wrong_amount" })
  /** The provider accepted a refund, at first or after trouble, or it was paid by hand. */
  | {
      type: "refund_accepted";
      refundId: string;
      /** The refund's key generation: a new try is a new event. */
      generation: number;
      paymentId: string;
      /** Null for money without a booking, or whose booking was deleted. */
      appointment: Appointment | null;
      amountPaise: number;
      way: RefundWay;
      /** True if it has a credit note. */
      credited: boolean;
      /** True if it had failed before. */
      again: boolean;
    }
  | { type: "unpaid"; appointment: Appointment }
  /** For a booking that staff made or moved; `again` where they held an unpaid one again. */
  | { type: "payment_link"; appointment: Appointment; again?: boolean }
  /** For somebody under 18, with the version that the change raised. */
  | { type: "guardian_asked"; appointment: Appointment; again: AskedAgain | undefined }
  | { type: "reminder"; appointment: Appointment; hours: 24 | 1 }
  /** Once, with the code in the link. */
  | { type: "rating_asked"; appointment: Appointment; code: string }
  /** Each time it is sent, with the plan's version. */
  | { type: "plan_sent"; appointment: Appointment; version: number }
  | {
      type: "help_called";
      appointment: Appointment;
      /** Who says that the other is not there. */
      side: HelpSide;
      /** The customer's first asking; what they ask for later stands in its place. */
      asks?: HelpAsk;
    }
  | {
      type: "refund_needs_person";
      refundId: string;
      /** The refund's key generation: a new failure is a new event. */
      generation: number;
      paymentId: string;
      appointmentId: string | null;
      amountPaise: number;
      way: RefundWay;
      /** Null if it is paid back by hand from the beginning. */
      error: string | null;
      /** A person was asked before, then it was accepted, and it failed after all. */
      again?: boolean;
    }
  | { type: "unmatched_payment"; paymentId: string; amountPaise: number }
  | {
      type: "dispute";
      disputeId: string;
      paymentId: string;
      appointmentId: string | null;
      /** The disputed amount; if lost, what was taken. */
      amountPaise: number;
      phase: string;
      status: string;
      respondBy: number | null;
    }
  /** Once for each row that is not tried again, waiting since an instant. */
  | {
      type: "given_up";
      queue: GivingUp;
      key: string;
      since: number;
      appointmentId: string | null;
      error: string;
    }
  | { type: "reset_code"; requestId: string; email: string; code: string; expiresAt: number }
  | { type: "test_mail"; requestId: string; email: string }
  | { type: "account_notice"; requestId: string; email: string; notice: AccountNotice }
  | {
      type: "team_invitation";
      requestId: string;
      email: string;
      role: Role;
      /** The code in the link. */
      code: string;
      expiresAt: number;
    }
  | { type: "booking_links"; requestId: string; email: string; appointmentIds: string[] }
  | { type: "backup_failed"; at: number; error: string }
  /** A backup did not leave the machine: at most one mail a day. */
  | { type: "off_site_failed"; at: number; error: string }
  /** What the doctor found newly wrong; empty: everything is fine again. */
  | { type: "doctor_found"; at: number; findings: NonNullable<MessageData["findings"]> }
  /** Once each time a calendar stops being readable. */
  | {
      type: "calendar_unread";
      counselorKey: string;
      counselor: string;
      /** The first failed read. */
      since: number;
      error: string;
    }
  | { type: "whatsapp_trouble"; at: number; code: number | null; error: string }
  /** Queued by `alertOwner` only, at most once an hour. */
  | { type: "owner_alert"; alert: OwnerAlert; at: number };
