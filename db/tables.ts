/**
 * Column types of every table. Instants are INTEGER milliseconds UTC (`*_at`, `*_until`, `*_before`),
 * calendar dates and times of day are TEXT in Asia/Kolkata, money is INTEGER paise.
 */
import type { Generated } from "kysely";
import type { Role } from "#app/model/actor.ts";
import type {
  AppointmentSource,
  AppointmentStatus,
  Attendance,
  MessageState,
} from "#app/model/statuses.ts";
import type { DocumentTable } from "./ledger-document.ts";
import type { MoneyTables } from "./money-tables.ts";
import type { OfferTables } from "./offer-tables.ts";
import type { SessionTables } from "./session-tables.ts";

export interface AppointmentTable {
  /** The row's own number, kept stable for the search index. */
  seq: Generated<number>;
  id: string;
  name: string;
  email: string;
  phone: string;
  counselor_key: string;
  /** The name as booked, for counselors no longer in the catalogue. */
  counselor_name: string;
  on_date: string;
  time_slot: string;
  minutes: number;
  starts_at: number;
  ends_at: number;
  base_paise: number;
  gst_paise: number;
  total_paise: number;
  status: AppointmentStatus;
  state_code: string | null;
  /** All three or none: the company that the invoice is for. */
  gstin: string | null;
  billing_name: string | null;
  billing_address: string | null;
  /**
   * The country of a customer abroad; then `billing_address` is set too, and `billing_name` for a
   * company.
   */
  country: string | null;
  notes: string | null;
  /** The student, if the session is not for the customer who booked it; else null. */
  student_name: string | null;
  student_under_18: Generated<number>;
  /** How the customer is related to the student. */
  student_relation: string | null;
  /**
   * The session's own room; null: it takes place as the captain's others do. `room_url` is null
   * while the room is being made.
   */
  room_kind: Generated<"link" | "pattern" | "zoom" | null>;
  room_url: Generated<string | null>;
  /** While pending: until when paying may be started, and until when the time is kept. */
  pay_before: number | null;
  hold_until: number | null;
  /** When that hold was taken or last changed; null for old bookings. */
  held_at: number | null;
  renewals: Generated<number>;
  cancel_reason: string | null;
  cancel_note: string | null;
  source: Generated<AppointmentSource>;
  attendance: Attendance | null;
  staff_note: string | null;
  calendar_uid: string;
  calendar_sequence: Generated<number>;
  /** The client's address, or its /64 for IPv6; null of what staff made or hold, and once paid or erased. */
  client_address: string | null;
  /** The notice that the customer read beside the button; null: none. */
  notice_version: string | null;
  notice_at: number | null;
  /** The member of staff who read it to them. */
  notice_by: string | null;
  /** 0: the customer wants no WhatsApp messages about it, or was not asked. */
  whatsapp: Generated<number>;
  /**
   * Hours before the start until which the customer may change it; null for old bookings: as set
   * now.
   */
  cutoff_hours: number | null;
  personal_data_erased_at: number | null;
  /** Captured money less refunds and lost disputes; updated by triggers. */
  kept_paise: Generated<number>;
  /** Refunds that count (`refund.counts`) of captured payments; updated by the same triggers. */
  refunded_paise: Generated<number>;
  /** What a bank took back by lost disputes. */
  taken_back_paise: Generated<number>;
  created_at: number;
  updated_at: number;
  /**
   * Raised by every change; forms send it along, so that one made from an older version is refused.
   */
  version: Generated<number>;
}

/** The time a live appointment occupies; a trigger refuses any overlap for one counselor. */
export interface SessionTimeTable {
  appointment_id: string;
  counselor_key: string;
  starts_at: number;
  ends_at: number;
  /** End of an unpaid hold; null once paid. */
  held_until: number | null;
}

export interface MessageTable {
  id: string;
  /** Unique with channel and audience, so that a repeated cause makes no second message. */
  cause: string;
  kind: string;
  channel: "email" | "whatsapp";
  audience: "customer" | "counselor" | "admin";
  recipient: string;
  appointment_id: string | null;
  /** JSON of what the template needs beyond the appointment. */
  data: string;
  state: MessageState;
  attempts: Generated<number>;
  next_try_at: number | null;
  lease_until: number | null;
  /** Not sent after this instant: a reminder is worthless after its session. */
  not_after: number | null;
  last_error: string | null;
  /** The transport's id: wamid of WhatsApp, Message-ID of mail. */
  transport_id: string | null;
  created_at: number;
  sent_at: number | null;
}

export interface ActivityTable {
  id: Generated<number>;
  at: number;
  actor: string;
  role: Role | null;
  action: string;
  target: string | null;
  before: string | null;
  after: string | null;
  /** What was done and to what, as it is shown. */
  words: Generated<string>;
  about: Generated<string>;
  /** The text that the search looks through. */
  line: Generated<string>;
}

export interface FailureTable {
  /** The pattern of a route with its method, or a job's name. */
  area: string;
  /** The error's class, and its code where it has one. */
  kind: string;
  /** The innermost stack frames in our own code. */
  place: string;
  /** Of the newest request that failed so; null if none had an id. */
  request_id: string | null;
  count: number;
  first_at: number;
  last_at: number;
}

export interface Tables extends OfferTables, MoneyTables, SessionTables {
  admin: AdminTable;
  /** A link to set an account's first password; deleted once it is used or withdrawn. */
  invitation: { admin_id: string; token_hash: string; expires_at: number };
  admin_session: AdminSessionTable;
  one_time_code: OneTimeCodeTable;
  appointment: AppointmentTable;
  session_time: SessionTimeTable;
  /** The browser that made a booking keeps a token; its hash is here. */
  own_booking: { token_hash: string; appointment_id: string; given_at: number };
  /** Of a paid booking for somebody under 18; `relation` and `words` as they were confirmed. */
  guardian: {
    appointment_id: string;
    /** In the address of the guardian's page. */
    token: string;
    confirmed_at: number | null;
    relation: string | null;
    words: string | null;
  };
  /** What was answered before a session; `answers` is a JSON list. */
  preparation: { appointment_id: string; answers: string; changed_at: number };
  document: DocumentTable;
  document_series: { series: string; financial_year: string; last_serial: number };
  message: MessageTable;
  /**
   * One row per e-mail address (lower case), with figures of its appointments; updated by triggers.
   */
  customer: {
    seq: Generated<number>;
    id: string;
    email: string;
    sessions: number;
    paid: number;
    last_starts_at: number;
  };
  /** People whose data was erased; the hashes of numbers and of bookings' ids are JSON lists. */
  erasure: { email_hash: string; phone_hashes: string; booking_hashes: string; at: number };
  /** The last word of a number about WhatsApp: STOP (1) or START (0), and when it was written. */
  opt_out: { phone_hash: string; at: number; is_out: 0 | 1 };
  idempotency: {
    key: string;
    body_hash: string;
    appointment_id: string;
    refund_id: string | null;
    created_at: number;
  };
  /**
   * The secret in the address of a captain's calendar feed; whoever has it can read the sessions.
   */
  counselor_feed: { counselor_key: string; secret: string; created_at: number };
  activity: ActivityTable;
  failure: FailureTable;
  setting: { key: string; value: string };
}

export interface AdminTable {
  id: string;
  username: string;
  email: string;
  /** Empty until an invitation is used. */
  password_hash: string;
  role: Generated<Role>;
  /** The captain whose sessions the account sees; null for other roles. */
  counselor_key: Generated<string | null>;
  /** Since when the account has no access; null while it has. */
  inactive_since: Generated<number | null>;
  /** Sealed under the first session secret. */
  totp_secret: string | null;
  totp_confirmed_at: number | null;
  /** The last accepted TOTP step: a code counts once. */
  totp_last_step: number | null;
  /** JSON list of hashed recovery codes not yet used. */
  recovery_codes: Generated<string>;
  created_at: number;
  updated_at: number;
}

export interface AdminSessionTable {
  token_hash: string;
  admin_id: string;
  user_agent: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

export interface OneTimeCodeTable {
  /** A keyed hash of the submitted address, whether or not an account has it. */
  email_key: string;
  /** The device id of a browser that has signed in to the account before; empty for all others. */
  device: Generated<string>;
  /** Null, like the code, for an address of no account. */
  admin_id: string | null;
  code_hash: string | null;
  tries: Generated<number>;
  requested_at: number;
  expires_at: number;
}
