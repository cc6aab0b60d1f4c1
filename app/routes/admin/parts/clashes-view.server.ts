/** Views of sessions at times that are not offered. */
import type { RouterContextProvider } from "react-router";
import { ownCounselor, shownId } from "#app/auth/require-admin.server.ts";
import { type Clash, listClashes, MOST_CAUSES } from "#app/availability/clashes.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { adminSession } from "#app/model/dates.ts";
import { oncePerOffer } from "#app/speed/offer-answers.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** Clashes and calls for help are settled in the list itself, so more of them are shown. */
export const MOST_SETTLED_HERE = 10;

/** The most causes shown for a session; a calendar can have many busy times within an hour. */
const MOST_WORDS = 5;

/** Open clashes of all captains; read again only when the offer has changed. */
export const openClashes = oncePerOffer(({ db, now }) => listClashes(db, now()));

export type ClashView = ReturnType<typeof clashView>;
export type Clashes = ReturnType<typeof clashesView>;
export type ClashesOfCaptain = ReturnType<typeof clashesOf>;

/** Their number and the first of them, as a captain (`own`) or owners and staff may see them. */
export function clashesView(deps: Pick<Deps, "db">, clashes: readonly Clash[], own: string | null) {
  const shown = clashes
    .slice(0, MOST_SETTLED_HERE)
    .map((clash) => ({ ...clashView(deps, clash), id: shownId(own, clash) }));
  return { total: clashes.length, shown };
}

/**
 * Open clashes of one captain, as the signed-in account may see them: those that a change just now
 * affected, and the others, so that the change does not hide earlier ones.
 */
export function clashesOf(
  deps: Deps,
  context: Readonly<RouterContextProvider>,
  counselorKey: string,
  changed: readonly Pick<Clash, "id">[] = [],
) {
  const ids = new Set(changed.map(({ id }) => id));
  const ofCaptain = openClashes(deps).filter((clash) => clash.counselorKey === counselorKey);
  const viewOf = (isAffected: boolean) => {
    const clashes = ofCaptain.filter(({ id }) => ids.has(id) === isAffected);
    return clashesView(deps, clashes, ownCounselor(context));
  };
  return { affected: viewOf(true), others: viewOf(false) };
}

/** Reads name, version and status again: correcting a contact does not change the offer. */
function clashView({ db }: Pick<Deps, "db">, clash: Clash) {
  const { id, counselor, causes, ...time } = clash;
  const now = findAppointment(db, id);
  const { name, version, status } = now ? { ...now, name: now.contact.name } : clash;
  return {
    id,
    name,
    version,
    status,
    counselor,
    session: adminSession(time.date, time.timeSlot),
    words: causes
      .slice(0, MOST_WORDS)
      .map((cause) => `${cause.words}.`)
      .concat(causes.length > MOST_WORDS ? `And ${causes.length - MOST_WORDS} more.` : [])
      .join(" "),
    causes: causes.slice(0, MOST_CAUSES).map(({ key }) => key),
  };
}
