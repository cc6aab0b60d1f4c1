/** What is known of a session after it: plan and ratings, and when a plan may be written. */
import { type Appointment, isPaid } from "./appointment.ts";
import { wording } from "./unknown-code.ts";

/** Why text and name of a rating are hidden; never for its score. */
export const HIDDEN_REASONS = ["private_data", "abuse", "not_about_session"] as const;

export type HiddenReason = (typeof HIDDEN_REASONS)[number];

export const hiddenLabel = wording<HiddenReason>({
  private_data: "Private data",
  abuse: "Abuse",
  not_about_session: "Not about the session",
});

/** A plan is written once a paid session is over. */
export function takesPlan(session: Pick<Appointment, "status" | "endsAt">, now: number): boolean {
  return isPaid(session) && session.endsAt <= now;
}

const TITLE = /^(mr|mrs|ms|dr|prof|capt|shri|sri|smt|kum)\.?$/i;

/** The first word of a person's name without a title, for public pages; never a surname for an initial. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/u);
  return words.find((word) => !TITLE.test(word)) ?? words[0]!;
}

/** From this many ratings on they are shown instead of the rating that the owner entered. */
export const FEWEST_RATINGS = 5;
