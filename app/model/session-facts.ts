/** What is known of a session at its hour and after it: the words that are stored, and when each may be written. */
import { type Appointment, isPaid } from "./appointment.ts";
import { DAY, HOUR, MINUTE } from "./duration.ts";
import { wording } from "./unknown-code.ts";

/** Why text and name of a rating are hidden; never for its score. */
export const HIDDEN_REASONS = ["private_data", "abuse", "not_about_session"] as const;

export type HiddenReason = (typeof HIDDEN_REASONS)[number];

export const hiddenLabel = wording<HiddenReason>({
  private_data: "Private data",
  abuse: "Abuse",
  not_about_session: "Not about the session",
});

type Timed = Pick<Appointment, "status" | "startsAt" | "endsAt">;

/** A plan is written once a paid session is over. `now` is milliseconds UTC. */
export function takesPlan(session: Timed, now: number): boolean {
  return isPaid(session) && session.endsAt <= now;
}

/** From when on who opens the page of a paid session wants to join it. */
export function joinFrom({ startsAt }: Pick<Appointment, "startsAt">): number {
  return startsAt - 15 * MINUTE;
}

/** From then until its end. `now` is milliseconds UTC. */
export function isAtHand(session: Timed, now: number): boolean {
  return isPaid(session) && joinFrom(session) <= now && now < session.endsAt;
}

/** Who says that the other is not there. */
export const HELP_SIDES = ["customer", "captain"] as const;

export type HelpSide = (typeof HELP_SIDES)[number];

/** What a customer asks for whose captain did not come: another time, or all money back. */
export const HELP_ASKS = ["move", "refund"] as const;

export type HelpAsk = (typeof HELP_ASKS)[number];

export const helpAskWords = wording<HelpAsk>({
  move: "another time",
  refund: "all money back",
});

/** One side's, of one time of a session. Instants are milliseconds UTC. */
export interface HelpCall {
  side: HelpSide;
  /** The session's start then: once it is moved, it is another session. */
  startsAt: number;
  calledAt: number;
  asks: HelpAsk | null;
  /** The time asked for, in India. */
  askedDate: string | null;
  askedTime: string | null;
  /** When staff did what was asked, or closed it. */
  settledAt: number | null;
}

/** From when on, and until when, a side can say that the other is not there; both inclusive. */
export function helpHours({ startsAt, endsAt }: Pick<Appointment, "startsAt" | "endsAt">) {
  return { from: startsAt + 5 * MINUTE, until: endsAt + HOUR };
}

/** Of a paid session that nobody has noted as completed. */
export function takesHelpCall(
  session: Timed & Pick<Appointment, "attendance">,
  now: number,
): boolean {
  const { from, until } = helpHours(session);
  return isPaid(session) && session.attendance !== "completed" && from <= now && now <= until;
}

/**
 * Only after the customer's own call, until staff have settled what was asked, for a day after the
 * session.
 */
export function takesAsking(
  session: Timed,
  call: Pick<HelpCall, "asks" | "settledAt"> | null,
  now: number,
): boolean {
  const isOpen = call !== null && (call.settledAt === null || call.asks === null);
  return isOpen && isPaid(session) && now <= session.endsAt + DAY;
}

/** Of a person's name, for the page that everybody reads. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/u)[0] ?? "";
}

/** Real ratings take the place of the owner's claim from so many on. */
export const FEWEST_RATINGS = 5;
