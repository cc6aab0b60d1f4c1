/** What comes after a session. Columns as in `tables.ts`. */
import type { Generated } from "kysely";
import type { HiddenReason } from "#app/model/session-facts.ts";

export interface SessionTables {
  /** What the captain writes down for the customer. */
  plan: {
    appointment_id: string;
    text: string;
    /** When it was mailed last; null: a draft. */
    sent_at: number | null;
    updated_at: number;
    version: Generated<number>;
  };
  rating: {
    id: string;
    /** Null, as the token, once the booking is erased or deleted: its stars still count. */
    appointment_id: string | null;
    counselor_key: string;
    /** Whoever has the token, which was mailed, rates. */
    token_hash: string | null;
    asked_at: number;
    /** 1 to 5; null until rated, and once withdrawn. */
    stars: number | null;
    text: string | null;
    /** 1: visitors may read text and first name. */
    shown: Generated<number>;
    hidden: HiddenReason | null;
    rated_at: number | null;
  };
}
