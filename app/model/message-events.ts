/** The events that cause messages. */
import type { Actor } from "./actor.ts";
import type { Appointment, Contact } from "./appointment.ts";
import type { AskedAgain, CancelledBy, MessageData } from "./messages.ts";
import type { TooLate } from "./statuses.ts";

/** What the event says in the message's data. */
type Said<Field extends keyof MessageData> = Required<Pick<MessageData, Field>>;

/** A payment that is refunded in full; the amount is that of the payment. */
interface MoneyBack extends Said<"paymentId" | "amountPaise"> {
  appointment: Appointment;
  refundId: string | null;
}

interface OfRefund extends Said<"refundId" | "paymentId" | "amountPaise" | "way"> {
  /** The refund's key generation: a new try, or a new failure, is a new event. */
  generation: number;
}

/** A mail that somebody asked for, or that follows what they did. */
interface ToAddress {
  requestId: string;
  email: string;
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
  /**
   * The session has another meeting link, or a call instead; with its raised calendar sequence.
   * `isFirst`: its link was awaited, and is here.
   */
  | { type: "joining_changed"; appointment: Appointment; isFirst?: boolean }
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
  | (OfRefund & {
      type: "refund_accepted";
      /** Null for money without a booking, or whose booking was deleted. */
      appointment: Appointment | null;
      /** True if it has a credit note. */
      credited: boolean;
      /** True if it had failed before. */
      again: boolean;
      /** True if the provider returned it by itself, having never captured it. */
      isUncaptured?: boolean;
    })
  | { type: "unpaid"; appointment: Appointment }
  /** For a booking that staff made or moved; `again` where they held an unpaid one again. */
  | { type: "payment_link"; appointment: Appointment; again?: boolean }
  /** For somebody under 18, with the version that the change raised. */
  | { type: "guardian_asked"; appointment: Appointment; again: AskedAgain | undefined }
  | { type: "reminder"; appointment: Appointment; hours: 24 | 1 }
  /** Once, with the code in the link. */
  | (Said<"code"> & { type: "rating_asked"; appointment: Appointment })
  /** Each time it is sent, with the plan's version. */
  | { type: "plan_sent"; appointment: Appointment; version: number }
  /** `asks`: the customer's first asking; what they ask for later stands in its place. */
  | (Said<"side"> & Pick<MessageData, "asks"> & { type: "help_called"; appointment: Appointment })
  | (OfRefund & {
      type: "refund_needs_person";
      appointmentId: string | null;
      /** Null if it is paid back by hand from the beginning. */
      error: string | null;
      /** A person was asked before, then it was accepted, and it failed after all. */
      again?: boolean;
    })
  | (Said<"paymentId" | "amountPaise"> & { type: "unmatched_payment" })
  /** With the disputed amount; if lost, what was taken. */
  | (Said<"disputeId" | "paymentId" | "amountPaise" | "phase" | "status" | "respondBy"> & {
      type: "dispute";
      appointmentId: string | null;
    })
  /** Once for each row that is not tried again, waiting since an instant. */
  | (Said<"queue" | "key" | "error"> & {
      type: "given_up";
      since: number;
      appointmentId: string | null;
    })
  | (ToAddress & Said<"code" | "expiresAt"> & { type: "reset_code" })
  | (ToAddress & { type: "test_mail" })
  | (ToAddress & Said<"notice"> & { type: "account_notice" })
  /** With the code in the link. */
  | (ToAddress & Said<"code" | "expiresAt" | "role"> & { type: "team_invitation" })
  | (ToAddress & Said<"appointmentIds"> & { type: "booking_links" })
  | (Said<"at" | "error"> & { type: "backup_failed" })
  /** A backup did not leave the machine: at most one mail a day. */
  | (Said<"at" | "error"> & { type: "off_site_failed" })
  /** What the doctor found newly wrong; empty: everything is fine again. */
  | (Said<"at" | "findings"> & { type: "doctor_found" })
  /** Once each time a calendar stops being readable; `since` the first failed read. */
  | (Said<"counselor" | "error"> & {
      type: "calendar_unread";
      counselorKey: string;
      since: number;
    })
  | (Said<"at" | "error"> & { type: "whatsapp_trouble"; code: number | null })
  /** Queued by `alertOwner` only, at most once an hour. */
  | (Said<"alert" | "at"> & { type: "owner_alert" });
