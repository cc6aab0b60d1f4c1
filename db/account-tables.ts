/** Accounts of the people of the business, and how they get in. Columns as in `tables.ts`. */
import type { Generated } from "kysely";
import type { Role } from "#app/model/actor.ts";

export interface AdminTable {
  id: string;
  username: string;
  email: string;
  /** Empty until an invitation is used. */
  password_hash: string;
  role: Generated<Role>;
  /** Of a captain's account, and of no other: whose sessions it sees. */
  counselor_key: Generated<string | null>;
  /** Since when access is taken away; null while it is given. */
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

/** Good for setting one password; gone once it is used or withdrawn. */
export interface InvitationTable {
  admin_id: string;
  token_hash: string;
  expires_at: number;
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
  /** The submitted address, keyed and hashed: known or not, it is counted the same. */
  email_key: string;
  /** Whose code it is: a browser that has signed in to the account before; empty for all others. */
  device: Generated<string>;
  /** Null, like the code, for an address of no account. */
  admin_id: string | null;
  code_hash: string | null;
  tries: Generated<number>;
  requested_at: number;
  expires_at: number;
}

export interface AccountTables {
  admin: AdminTable;
  invitation: InvitationTable;
  admin_session: AdminSessionTable;
  one_time_code: OneTimeCodeTable;
}
