/** Ratings: asked for once after a session that took place, given by a mailed link, hidden only for a reason. */
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps, ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { firstName, type HiddenReason } from "#app/model/after-session.ts";
import { DAY, dateInIndia, formatDay, isoInstant } from "#app/model/dates.ts";
import { isId, newId } from "#app/model/ids.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findRating,
  findRatingOfToken,
  giveRating,
  hideRating,
  insertRating,
  listRatings,
  listToRate,
  type Rating,
  sumRatings,
} from "#db/queries/ratings.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";

const NO_RATING = failure("not_found", "There is no such rating.");
const CANCELLED = failure(
  "already_cancelled",
  "This session was cancelled, so it cannot be rated.",
);
const NOT_HELD = failure(
  "stale",
  "Our records do not say that this session took place, so it cannot be rated now.",
);

/** Sessions that ended longer ago are not asked about. */
const ASKED_FOR = 7 * DAY;
const BATCH = 50;
/** Of a captain on their page, the newest. */
const MOST_READ = 1000;
/** Of all captains in one answer, as of appointments. */
const MOST_LISTED = 10_000;

/** Queues a mail to who is due to be asked. Answers how many. */
export async function askForRatings(deps: ChangeDeps): Promise<number> {
  const now = deps.now();
  const since = Math.max(now - DAY - ASKED_FOR, firstRun(deps.db, now));
  const due = { since, until: now - DAY };
  if (listToRate(deps.db, due, 1).length === 0) return 0;
  const count = inTransaction(deps.db, (tx) => {
    const ids = listToRate(tx, due, BATCH);
    for (const id of ids) {
      const appointment = findAppointment(tx, id)!;
      const code = newId();
      const { counselorKey, startsAt } = appointment;
      const asked = { id: newId(), appointmentId: id, tokenHash: sha256(code), askedAt: now };
      insertRating(tx, { ...asked, counselorKey, startsAt });
      queueMessages(tx, deps.env, now, { type: "rating_asked", appointment, code });
    }
    return ids.length;
  });
  deps.wake();
  return count;
}

/** Sessions that ended before this first ran are not asked about. */
function firstRun(db: Db, now: number): number {
  const noted = Number(readSetting(db, "ratings_since") ?? Number.POSITIVE_INFINITY);
  // Noted later than now: the clock was set back.
  if (noted <= now) return noted;
  inTransaction(db, (tx) => writeSetting(tx, "ratings_since", String(now)));
  return now;
}

/** Null for a link that is none, or whose booking is erased. */
export function ratingAt({ db }: Pick<Deps, "db">, token: string | undefined): Rating | null {
  return isId(token) ? findRatingOfToken(db, sha256(token)) : null;
}

/** Why a session that was asked about takes no stars any more; null if it does. */
export function refuseStars({ status, attendance }: Rating): Failure | null {
  if (status === "cancelled") return CANCELLED;
  return attendance === "completed" ? null : NOT_HELD;
}

/**
 * Gives, changes or, without stars, withdraws it. Words that are hidden stay so when they are changed,
 * or the next ones could repeat them; the owner finds them among the newest. Refusals: `not_found`, and
 * those of `refuseStars`: what was given before stays, and may still be withdrawn.
 */
export function rate(
  deps: ReadDeps,
  token: string | undefined,
  given: { stars: number | null; text: string; shown: boolean },
): Outcome<null> {
  return inTransaction(deps.db, (tx) => {
    const rating = ratingAt({ db: tx as Deps["db"] }, token);
    if (!rating) return NO_RATING;
    const refused = given.stars === null ? null : refuseStars(rating);
    if (refused) return refused;
    const text = given.stars === null ? null : given.text || null;
    giveRating(tx, rating.id, { ...given, text, shown: text !== null && given.shown }, deps.now());
    return success(null);
  });
}

/** Text and name alone: the stars count on. Logged. Refusal: `not_found`. */
export function setHidden(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { hidden }: { hidden: HiddenReason | null },
): Outcome<Rating> {
  return change(deps, actor, ({ tx, log }) => {
    const rating = findRating(tx, id);
    if (!rating || rating.stars === null) return NO_RATING;
    if (rating.hidden === hidden) return success(rating);
    hideRating(tx, id, hidden);
    log("rating_hide", rating.appointmentId, {
      before: { hidden: rating.hidden },
      after: { hidden },
    });
    return success(findRating(tx, id)!);
  });
}

export function readRatings({ db }: Pick<Deps, "db">): Rating[] {
  return listRatings(db, { limit: MOST_LISTED });
}

const MOST_TEXTS = 20;

/** The newest texts whose writers said yes, and how many texts are hidden. */
export function captainRatings({ db }: Pick<Deps, "db">, counselorKey: string) {
  const texts = listRatings(db, { limit: MOST_READ, counselorKey }).flatMap((one) => {
    const { id, stars, text, shown, hidden, name, ratedAt } = one;
    if (!text || !name || shown !== 1 || hidden !== null) return [];
    return [{ id, stars, text, name: firstName(name), day: formatDay(dateInIndia(ratedAt!)) }];
  });
  return { texts: texts.slice(0, MOST_TEXTS), hidden: sumRatings(db, counselorKey).hidden };
}

/** As the owner's calls answer it: the first name only with its owner's yes. */
export function ratingJson({ id, counselor, stars, text, shown, name, hidden, ratedAt }: Rating) {
  return {
    id,
    counselor,
    stars,
    text,
    hidden,
    name: shown === 1 && name ? firstName(name) : null,
    at: isoInstant(ratedAt!),
  };
}
