/** What each role may do: the one table that gates, menus, buttons and operations ask. */
import type { Role } from "./actor.ts";
import { lookUp } from "./unknown-code.ts";

/**
 * Of everything, or of the captain's own sessions, days and addresses
 * (`app/auth/require-admin.server.ts`); null: not at all.
 */
type Reach = "all" | "own" | null;

const MAY = {
  /** List, detail, calendar, next sessions. */
  sessions: { owner: "all", staff: "all", captain: "own" },
  /** The pages that are a captain's alone. */
  ownSessions: { owner: null, staff: null, captain: "own" },
  /** Attendance, the staff note, and saying that the customer is not there. */
  attendance: { owner: "all", staff: "all", captain: "own" },
  ratings: { owner: "all", staff: null, captain: null },
  /** What is written down for the customer after a session. */
  plans: { owner: "all", staff: "all", captain: "own" },
  /** Slots, blocks, weekly hours, leave, busy calendars. */
  times: { owner: "all", staff: "all", captain: "own" },
  /** Correct contact, move, book, cancel in full, note money paid outside, send again, find. */
  bookings: { owner: "all", staff: "all", captain: null },
  /** A part back or nothing, refunds without cancelling, settling, retries, unmatched money. */
  refunds: { owner: "all", staff: null, captain: null },
  /** Money received outside in a financial year that is over: its tax may be filed already. */
  earlierYears: { owner: "all", staff: null, captain: null },
  customers: { owner: "all", staff: "all", captain: null },
  /** Erasing a customer, and all data of one as a file. */
  erasure: { owner: "all", staff: null, captain: null },
  /** Documents, the accountant's month, export, insights, deleting. */
  business: { owner: "all", staff: null, captain: null },
  catalogue: { owner: "all", staff: null, captain: null },
  /** The business, its brand and its rules. */
  settings: { owner: "all", staff: null, captain: null },
  /** Read in the calls, without the captains' addresses and links. */
  offer: { owner: "all", staff: "all", captain: "all" },
  /** Accounts and the activity log. */
  team: { owner: "all", staff: null, captain: null },
  /** What failed inside, for a developer. */
  operations: { owner: "all", staff: null, captain: null },
  feeds: { owner: "all", staff: null, captain: "own" },
  /** Own password, sessions and second factor. */
  account: { owner: "all", staff: "all", captain: "all" },
} as const satisfies Record<string, Record<Role, Reach>>;

export type Subject = keyof typeof MAY;

export const SUBJECTS = Object.keys(MAY) as Subject[];

const rolesOf = lookUp<Subject, Record<Role, Reach>>(MAY);

export function mayDo(role: Role, subject: Subject): boolean {
  return rolesOf(subject)?.[role] != null;
}
