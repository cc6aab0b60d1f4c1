/** The owner changes a captain, and captains subscribe to their sessions as a calendar. */
import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type ChangedCounselor, changeCounselor } from "#app/catalogue/change-catalogue.server.ts";
import type { CounselorChange } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps, ReadDeps } from "#app/core/deps.server.ts";
import { isSame } from "#app/core/secrets.server.ts";
import { calendarFeed } from "#app/documents/calendar-file.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { type Counselor, findCounselorByKey, findCounselorByName } from "#app/model/catalogue.ts";
import { DAY } from "#app/model/dates.ts";
import { newFeedSecret } from "#app/model/ids.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { NO_ROOM, type Room } from "#app/model/room.ts";
import { captainEvent } from "#app/notifications/invitation.server.ts";
import { changePlace } from "#app/notifications/place.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  findAppointment,
  listCounselorSessions,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { FEEDS_DERIVED_SETTING, listFeeds, saveFeed } from "#db/queries/catalogue.server.ts";
import { listFutureSessions } from "#db/queries/hours.server.ts";
import { endRoom } from "#db/queries/session-rooms.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { redirectCaptainMessages } from "#db/queries/unsent-messages.server.ts";

/**
 * Like `changeCounselor`, with its refusals. Invitations already sent have the old meeting link, so
 * the customers of paid future sessions are notified; `notified` is how many. Sessions with a room
 * of their own keep it; sessions at its fallback link move with that link.
 */
export function changeCaptain(
  deps: ChangeDeps,
  actor: Actor,
  key: string,
  input: CounselorChange,
): Outcome<ChangedCounselor & { notified: number }> {
  return change(deps, actor, ({ tx, now }) => {
    const before = findCounselorByKey(readCatalogue(tx), key);
    const done = changeCounselor({ ...deps, db: tx }, actor, key, input);
    if (!done.ok) return done;
    const { email, meeting, room } = done.value.counselor;
    if (before?.email && email && before.email !== email) {
      redirectCaptainMessages(tx, key, { from: before.email, to: email }, now);
    }
    const isSame = isDeepStrictEqual(before?.meeting, meeting);
    const notified = isSame ? 0 : notifyCustomers(tx, deps, key, now);
    const moved = before ? moveFromFallback(tx, deps, { key, before: before.room, room }, now) : 0;
    return success({ ...done.value, notified: notified + moved });
  });
}

function notifyCustomers(tx: Db, { env }: Pick<Deps, "env">, key: string, now: number): number {
  const sessions = listPaidAhead(tx, key, now).filter(({ roomKind }) => roomKind === null);
  for (const { id } of sessions) changePlace(tx, env, id, now);
  return sessions.length;
}

function listPaidAhead(tx: Db, key: string, now: number): Appointment[] {
  return listFutureSessions(tx, now)
    .filter((session) => session.counselorKey === key && isPaid(session))
    .map(({ id }) => findAppointment(tx, id)!);
}

/**
 * Moves paid future sessions that are at the captain's old fallback link. A new address pattern
 * moves none: it is for new bookings. Returns how many customers are notified.
 */
function moveFromFallback(
  tx: Db,
  { env }: Pick<Deps, "env">,
  { key, before, room }: { key: string; before: Room; room: Room },
  now: number,
): number {
  if (before.kind !== "zoom" || room.kind === "pattern" || isDeepStrictEqual(before, room))
    return 0;
  const isAtFallback = ({ roomKind, roomUrl }: Appointment) =>
    roomKind === "link" && roomUrl === before.address;
  const sessions = listPaidAhead(tx, key, now).filter(isAtFallback);
  const isSameLink = room.kind === "link" && room.address === before.address;
  for (const { id } of sessions) {
    if (room.kind === "zoom") {
      changePlace(tx, env, id, now, { roomKind: "link", roomUrl: room.address });
    } else {
      // The session needs no Zoom room any more, so none is missing.
      endRoom(tx, id, now);
      if (isSameLink) updateAppointment(tx, id, now, NO_ROOM);
      else changePlace(tx, env, id, now, NO_ROOM);
    }
  }
  return isSameLink ? 0 : sessions.length;
}

// Each captain has a private address for a calendar subscription.

/** The captains' secret calendar addresses, in the catalogue's order, each for its captain only. */
export function listCounselorFeeds({ db, env }: ReadDeps) {
  const secrets = new Map(listFeeds(db).map((feed) => [feed.counselorKey, feed.secret]));
  return readCatalogue(db).counselors.flatMap(({ key, name }) => {
    const secret = secrets.get(key);
    return secret ? [{ key, name, url: `${env.publicUrl}/calendar/${secret}.ics` }] : [];
  });
}

/** Replaces a captain's address at once. Refusal: `validation_failed` for an unknown name. */
export function renewCounselorFeed(
  deps: ChangeDeps,
  counselorName: string,
  actor: Actor,
): Outcome<null> {
  return change(deps, actor, ({ tx, now, log }) => {
    const counselor = findCounselorByName(readCatalogue(tx), counselorName);
    if (!counselor) return invalid({ counselor: ["Please choose a captain."] });
    saveFeed(tx, { counselorKey: counselor.key, secret: newFeedSecret(), createdAt: now });
    log("feed_renewed", counselor.key);
    return success(null);
  });
}

/**
 * Gives each captain without a calendar address one. Databases from before addresses were stored
 * keep theirs, derived from the last session secret listed.
 */
export function ensureCounselorFeeds(deps: ReadDeps): void {
  inTransaction(deps.db, (tx) => {
    const known = new Set(listFeeds(tx).map((feed) => feed.counselorKey));
    const isDerived = Boolean(readSetting(tx, FEEDS_DERIVED_SETTING));
    const { counselors } = readCatalogue(tx);
    for (const { key } of counselors.filter((counselor) => !known.has(counselor.key))) {
      const secret = isDerived
        ? derivedSecret(deps.env.sessionSecrets.at(-1) ?? "", key)
        : newFeedSecret();
      saveFeed(tx, { counselorKey: key, secret, createdAt: deps.now() });
    }
    if (isDerived) writeSetting(tx, FEEDS_DERIVED_SETTING, "");
  });
}

/** A captain's paid sessions since 30 days ago as an iCalendar file; null for an unknown secret. */
export function readCounselorFeed({ db, env, now }: ReadDeps, secret: string): string | null {
  const counselor = findCounselorBySecret(db, secret);
  if (!counselor) return null;
  const sessions = listCounselorSessions(db, counselor.key, now() - 30 * DAY);
  return calendarFeed({
    brand: env.brand.name,
    name: `${env.brand.name}: ${counselor.name}`,
    events: sessions.map(({ appointment, changedAt }) => captainEvent(env, appointment, changedAt)),
  });
}

/** Compares with every stored secret, each in constant time. */
function findCounselorBySecret(db: Db, secret: string): Counselor | null {
  const matches = listFeeds(db).filter((feed) => isSame(feed.secret, secret));
  return matches[0] ? findCounselorByKey(readCatalogue(db), matches[0].counselorKey) : null;
}

const DERIVED_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

function derivedSecret(sessionSecret: string, counselorKey: string): string {
  const bytes = createHmac("sha256", sessionSecret).update(`calendar:${counselorKey}`).digest();
  return Array.from(bytes, (byte) => DERIVED_ALPHABET[byte & 31]).join("");
}
