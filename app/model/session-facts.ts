/** What is known of a session after it: the words that are stored, and when a plan may be written. */
import { type Appointment, isPaid } from "./appointment.ts";

/** Why text and name of a rating are hidden; never for its score. */
export const HIDDEN_REASONS = ["private_data", "abuse", "not_about_session"] as const;

export type HiddenReason = (typeof HIDDEN_REASONS)[number];

export const HIDDEN_LABELS: Record<HiddenReason, string> = {
  private_data: "Private data",
  abuse: "Abuse",
  not_about_session: "Not about the session",
};

type Timed = Pick<Appointment, "status" | "startsAt" | "endsAt">;

/** A plan is written once a paid session is over. `now` is milliseconds UTC. */
export function takesPlan(session: Timed, now: number): boolean {
  return isPaid(session) && session.endsAt <= now;
}

/** Of a person's name, for the page that everybody reads. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/u)[0] ?? "";
}

/** Real ratings take the place of the owner's claim from so many on. */
export const FEWEST_RATINGS = 5;
