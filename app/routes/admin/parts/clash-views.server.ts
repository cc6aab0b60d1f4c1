/** Sessions inside time that was taken away, as the admin sees them. */
import { type Clash, listClashes } from "#app/availability/clashes.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { adminSession } from "#app/model/dates.ts";
import { oncePerOffer } from "#app/speed/offer-state.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** Those of all captains; read anew only when something of the offer has changed. */
export const openClashes = oncePerOffer(({ db, now }) => listClashes(db, now()));

export type ClashView = ReturnType<typeof clashView>;

/** The offer is the same when a contact is corrected: name and version are those of now. */
export function clashView({ db }: Pick<Deps, "db">, clash: Clash) {
  const { id, counselor, causes, ...time } = clash;
  const now = findAppointment(db, id);
  const { name, version, status } = now ? { ...now, name: now.contact.name } : clash;
  return {
    ...{ id, name, version, status, counselor },
    session: adminSession(time.date, time.timeSlot),
    causes: causes.map(({ key, words }) => ({ key, words })),
  };
}
