/** What is offered: the catalogue, and when each captain can be booked. Columns as in `tables.ts`. */
import type { Generated } from "kysely";

/** A captain. `counselor_name` holds every name that one has or had. */
export interface CounselorTable {
  key: string;
  name: string;
  title: string;
  description: string;
  years_of_experience: number | null;
  rating: number | null;
  sessions: number | null;
  /** JSON lists of words. */
  specialties: string;
  languages: Generated<string>;
  email: string;
  meeting_url: string | null;
  /** Null: all bookings take place at the meeting's address, or by phone. */
  room_kind: "pattern" | "zoom" | null;
  /** The address with `{code}`, or that of a session for which Zoom made no room. */
  room_address: string | null;
  /** An id of `portrait`, or the file of a sample under `/portraits/`; null for none. */
  portrait: string | null;
  active: number;
  /** JSON of a sample's first name, e-mail and portrait; null for a real captain. */
  sample_of: string | null;
  position: number;
  version: Generated<number>;
  updated_at: number;
}

interface PackageTable {
  minutes: number;
  /** Whole rupees before GST. */
  price_rupees: number;
  label: string;
  description: string;
  active: number;
  /** JSON list of what is asked before a session. */
  questions: Generated<string>;
  version: Generated<number>;
}

export interface BusyCalendarTable {
  counselor_key: string;
  /** The private address, sealed under the first session secret. */
  sealed_url: string;
  host: string;
  etag: string | null;
  /** When its whole text was last read; a 304 in between leaves it. */
  whole_read_at: number | null;
  last_read_at: number | null;
  next_read_at: number;
  /** The first failed read since then. */
  failing_since: number | null;
  told_at: number | null;
  error: string | null;
  updated_at: number;
}

/** What another server has, or is to make, for a session; without an appointment it is deleted there. */
export interface SessionRoomTable {
  /** Random, and written into the room: so it is found again where an answer was lost. */
  room_key: string;
  appointment_id: string | null;
  /** The e-mail address of its captain there, once it may have been made. */
  host: string | null;
  meeting_id: string | null;
  /** The start that the other server knows. */
  made_for: number | null;
  /** When it was asked for without an answer: it may be there, or come there still. */
  unsure_since: number | null;
  /** When the captain's fallback link took its place. */
  fell_back_at: number | null;
  next_try_at: number | null;
  lease_until: number | null;
  attempts: Generated<number>;
  last_error: string | null;
  created_at: number;
}

export interface OfferTables {
  session_room: SessionRoomTable;
  counselor: CounselorTable;
  counselor_name: { name: string; counselor_key: string };
  /** A portrait in each width, as WebP, and a logo also as PNG; its id is made of its bytes. */
  portrait: { id: string; width: number; bytes: Uint8Array };
  package: PackageTable;
  /** One row. `default_times` and `links` are JSON lists. */
  offer_settings: { id: number; default_times: string; links: string; version: Generated<number> };
  /** One row. `saved` is JSON of the settings that the owner has saved. */
  owner_settings: { id: number; saved: string; version: Generated<number> };
  /** No row: the default times, no buffer. `week` is JSON of seven lists, or null likewise. */
  weekly_hours: {
    counselor_key: string;
    week: string | null;
    buffer_minutes: number;
    version: number;
  };
  /** Whole days off, both ends inclusive; without a counselor a holiday of all. */
  leave: {
    id: string;
    counselor_key: string | null;
    from_date: string;
    to_date: string;
    reason: string | null;
    created_at: number;
  };
  busy_calendar: BusyCalendarTable;
  /** Parts of a day in India; `is_last` of the part that ends the time, so that times are counted. */
  busy_time: {
    id: Generated<number>;
    counselor_key: string;
    starts_at: number;
    ends_at: number;
    is_last: number;
  };
  /** A session kept on purpose in time taken away by `cause`; once it moves, none of it holds. */
  kept_clash: {
    appointment_id: string;
    counselor_key: string;
    starts_at: number;
    cause: string;
    kept_by: string;
    kept_at: number;
  };
  availability: {
    counselor_key: string;
    on_date: string;
    /** JSON list of `HH:mm`, ascending. No row: the default times. */
    time_slots: string;
    updated_at: number;
  };
  block: {
    counselor_key: string;
    on_date: string;
    time_slot: string;
    reason: string | null;
    created_at: number;
  };
}
