/** Sessions inside time that was taken away, as the admin sees them. */
import type { RouterContextProvider } from "react-router";
import { shownId } from "#app/auth/own-reach.server.ts";
import { ownCounselor } from "#app/auth/require-admin.server.ts";
import { MOST_CAUSES } from "#app/availability/causes.ts";
import { type Clash, listClashes } from "#app/availability/clashes.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { adminSession } from "#app/model/dates.ts";
import { oncePerOffer } from "#app/speed/offer-state.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** Of one session's causes; a calendar can have many busy times within an hour. */
const MOST_WORDS = 5;

/** Those of all captains; read anew only when something of the offer has changed. */
export const openClashes = oncePerOffer(({ db, now }) => listClashes(db, now()));

type Context = Readonly<RouterContextProvider>;

export type ClashView = ReturnType<typeof clashView>;

/**
 * Those of one captain, as who is signed in may see them. The offer is the same when a contact is
 * corrected: name and version are those of now.
 */
export function clashesOf(deps: Deps, context: Context, counselorKey: string) {
  return openClashes(deps)
    .filter((clash) => clash.counselorKey === counselorKey)
    .map((clash) => ({ ...clashView(deps, clash), id: shownId(ownCounselor(context), clash) }));
}

export function clashView({ db }: Pick<Deps, "db">, clash: Clash) {
  const { id, counselor, causes, ...time } = clash;
  const now = findAppointment(db, id);
  const { name, version, status } = now ? { ...now, name: now.contact.name } : clash;
  return {
    ...{ id, name, version, status, counselor },
    session: adminSession(time.date, time.timeSlot),
    words: causes
      .slice(0, MOST_WORDS)
      .map((cause) => `${cause.words}.`)
      .concat(causes.length > MOST_WORDS ? `And ${causes.length - MOST_WORDS} more.` : [])
      .join(" "),
    causes: causes.slice(0, MOST_CAUSES).map(({ key }) => key),
  };
}
