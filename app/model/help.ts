/** Help at the hour of a session: who can call for it, what a customer can ask for, and until when. */
import { type Appointment, isPaid } from "./appointment.ts";
import { DAY, formatClock, HOUR, MINUTE } from "./dates.ts";
import { wording } from "./unknown-code.ts";

type Timed = Pick<Appointment, "status" | "startsAt" | "endsAt">;

/** From when on who opens the page of a paid session wants to join it. */
export function joinFrom({ startsAt }: Pick<Appointment, "startsAt">): number {
  return startsAt - 15 * MINUTE;
}

/** From then until its end. */
export function isAtHand(session: Timed, now: number): boolean {
  return isPaid(session) && joinFrom(session) <= now && now < session.endsAt;
}

/** The side that says that the other is not there. */
export const HELP_SIDES = ["customer", "captain"] as const;

export type HelpSide = (typeof HELP_SIDES)[number];

/** What a customer asks for whose captain did not come: another time, or all money back. */
export const HELP_ASKS = ["move", "refund"] as const;

export type HelpAsk = (typeof HELP_ASKS)[number];

export const helpAskWords = wording<HelpAsk>({ move: "another time", refund: "all money back" });

/** For the customer, when the captain or staff said that they are not there. */
export function missedWords({ counselor }: Pick<Appointment, "counselor">, at: number): string {
  return `At ${formatClock(at)} IST we were told that you are not in the session with ${counselor}.`;
}

/** From when on, and until when, a side can say that the other is not there; both inclusive. */
export function helpHours({ startsAt, endsAt }: Pick<Appointment, "startsAt" | "endsAt">) {
  return { from: startsAt + 5 * MINUTE, until: endsAt + HOUR };
}

/** True within these hours for a paid session that is not noted as completed, of somebody we know. */
export function takesHelpCall(
  session: Timed & Pick<Appointment, "attendance" | "contact">,
  now: number,
): boolean {
  const { from, until } = helpHours(session);
  if (session.contact.email === "") return false;
  return isPaid(session) && session.attendance !== "completed" && from <= now && now <= until;
}

/**
 * True if the customer can ask for another time or all money back: after their own call, until
 * staff have settled what was asked, and for a day after the session.
 */
export function takesAsking(
  session: Timed,
  call: { asks: HelpAsk | null; settledAt: number | null } | null,
  now: number,
): boolean {
  const isOpen = call !== null && (call.settledAt === null || call.asks === null);
  return isOpen && isPaid(session) && now <= session.endsAt + DAY;
}
