/** How sessions take place: the way a captain meets, and where one booking does. */
import { HOUR } from "./dates.ts";
import { newRoomCode } from "./ids.ts";

/**
 * The way a captain meets. `link`: one address for all; `pattern`: an address with `{code}`, which
 * each booking fills with letters of its own; `zoom`: a meeting made for each booking, and `address`
 * where none could be made; `phone`: the captain calls.
 */
export type Room =
  | { kind: "link"; address: string }
  | { kind: "pattern"; address: string }
  | { kind: "zoom"; address: string }
  | { kind: "phone" };

export type RoomKind = Room["kind"];

/** Where all bookings take place that have no room of their own. */
export type FixedMeeting = { kind: "link"; url: string } | { kind: "call" };

/** Where one booking takes place. `awaited`: its link is being made, or is to be with the payment. */
export type Meeting = FixedMeeting | { kind: "awaited"; room: RoomKind };

/** `url` null: the captain calls. */
export function meetingAt(url: string | null): FixedMeeting {
  return url === null ? { kind: "call" } : { kind: "link", url };
}

/** How the session takes place, without the link. */
export function placeWords({ kind }: { kind: RoomKind | Meeting["kind"] }): string {
  return kind === "call" || kind === "phone" ? "The captain calls you" : "Video link by email";
}

export const LINK_AWAITED = "Your link is on its way";

/** So long before the start, in milliseconds, the fallback link takes the place of a missing room. */
export const FALLBACK_BEFORE = 2 * HOUR;

export const CODE = "{code}";

/** The address of one booking: nobody guesses it. */
export function patternAddress(pattern: string): string {
  return pattern.replace(CODE, newRoomCode());
}

/** What a booking keeps of its own room; null: it takes place as its captain's do. */
export type OwnRoom = { roomKind: Exclude<RoomKind, "phone"> | null; roomUrl: string | null };

export const NO_ROOM: OwnRoom = { roomKind: null, roomUrl: null };
