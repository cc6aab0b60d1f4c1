/** What comes after a session, and at its hour. Columns as in `tables.ts`. */
import type { Generated } from "kysely";
import type { HiddenReason } from "#app/model/after-session.ts";
import type { HelpAsk, HelpSide } from "#app/model/help.ts";

export interface SessionTables {
  /** What the captain writes down for the customer. */
  plan: {
    appointment_id: string;
    /** Of the session that it was written after, as it stood then. */
    counselor_key: string;
    starts_at: number;
    text: string;
    /** When it was mailed last; null: a draft. */
    sent_at: number | null;
    updated_at: number;
    version: Generated<number>;
  };
  rating: {
    id: string;
    /** Null, as start and token, once the booking is erased or deleted: its stars still count. */
    appointment_id: string | null;
    counselor_key: string;
    /** Of the session as it stood when it was asked about. */
    starts_at: number | null;
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
  /** One side says that the other is not there. */
  help_call: {
    appointment_id: string;
    /** Of the session as it stood: a moved one is another. */
    starts_at: number;
    /** Who said so. */
    side: HelpSide;
    called_at: number;
    /** What the customer asks for. */
    asks: HelpAsk | null;
    asked_date: string | null;
    asked_time: string | null;
    /** Once staff have done what was asked, or closed it. */
    settled_at: number | null;
  };
}
