/** The events that cause messages. */
import type { Actor, Role } from "./actor.ts";
import type { Appointment, Contact } from "./appointment.ts";
import type { AccountNotice, CancelledBy, GivingUp, MessageData, OwnerAlert } from "./messages.ts";
import type { RefundWay } from "./refund.ts";
import type { TooLate } from "./statuses.ts";

/** A payment that goes back whole. */
interface MoneyBack {
  appointment: Appointment;
  paymentId: string;
  /** Of the payment, in paise. */
  amountPaise: number;
  refundId: string | null;
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
  /** Money came too late to pay the appointment, which is cancelled; it goes back. */
  | (MoneyBack & { type: "late_payment"; reason: TooLate })
  /** A second or wrong payment goes back; the appointment stays as it is. */
  | (MoneyBack & { type: "payment_returned"; reason: "second" | "wrong_amount" })
  /** A refund was accepted by the provider, for the first time or after trouble, or paid by hand. */
  | {
      type: "refund_accepted";
      refundId: string;
      /** The refund's key generation: a new try is told anew. */
      generation: number;
      paymentId: string;
      /** Null for money of no booking, and of one that was deleted. */
      appointment: Appointment | null;
      amountPaise: number;
      way: RefundWay;
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
      way: RefundWay;
      /** Null where it is a person's from the beginning. */
      error: string | null;
      /** Asked about before, then accepted, and failed after all. */
      again?: boolean;
    }
  | { type: "unmatched_payment"; paymentId: string; amountPaise: number }
  | {
      type: "dispute";
      disputeId: string;
      paymentId: string;
      appointmentId: string | null;
      /** Asked for; of a lost one, taken. */
      amountPaise: number;
      phase: string;
      status: string;
      respondBy: number | null;
    }
  /** Told once of each row that is not tried again. */
  | { type: "given_up"; queue: GivingUp; key: string; appointmentId: string | null; error: string }
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
