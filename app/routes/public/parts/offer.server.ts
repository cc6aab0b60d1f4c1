/** The catalogue and the free times as the booking page shows them. */

import { readAvailability } from "#app/availability/read-slots.server.ts";
import { lastDateOffered } from "#app/availability/slots.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import { captainCard } from "#app/components/captain-card.tsx";
import type { Deps } from "#app/core/deps.server.ts";
import { type Catalogue, findCounselorByName } from "#app/model/catalogue.ts";
import { dateInIndia, formatDay, formatSlot } from "#app/model/dates.ts";
import { priceWords, rupeesOf } from "#app/model/money.ts";
import { priceOf } from "#app/model/price.ts";
import { oncePerOffer } from "#app/speed/offer-state.server.ts";
import type { FreeTime, Offer } from "./offer.ts";

type OfferDeps = Pick<Deps, "db" | "env" | "now">;

export const readOffer = oncePerOffer((deps: OfferDeps): Offer => {
  const { env, now } = deps;
  const at = now();
  const { counselors, packages, links } = readBookable(deps);
  return {
    counselors: counselors.map((one) => ({ key: one.key, ...captainCard(one) })),
    packages: packages.map(({ minutes, label, description, price }) => ({
      minutes,
      label,
      description,
      packagePrice: price,
      ...priceWords(priceOf(price)),
    })),
    today: dateInIndia(at),
    lastDate: lastDateOffered(env, at),
    shownTotals: shownTotals(packages),
    links,
  };
});

/** All totals in rupees, `30-1179 45-1533 60-1769`: the form brings back what its page showed. */
function shownTotals(packages: Catalogue["packages"]): string {
  return packages
    .map(({ minutes, price }) => `${minutes}-${rupeesOf(priceOf(price).totalPaise)}`)
    .join(" ");
}

/** The captain whom a link names and who is not, or no longer, to be booked; else null. */
export function notBookable(deps: OfferDeps, name: string | null): string | null {
  if (!name || findCounselorByName(readBookable(deps), name)) return null;
  return findCounselorByName(readCatalogue(deps.db), name)?.name ?? null;
}

/** The next free time of each captain. */
export const nextFreeTimes = oncePerOffer((deps: OfferDeps): FreeTime[] => {
  const today = dateInIndia(deps.now());
  return readBookable(deps).counselors.flatMap(({ key }) => {
    const { next } = readAvailability(deps, { counselorKey: key, from: today, to: today });
    return next.slice(0, 1).map((free) => freeTime(key, free));
  });
});

function freeTime(
  counselorKey: string,
  { date, timeSlot }: { date: string; timeSlot: string },
): FreeTime {
  return { counselorKey, date, timeSlot, day: formatDay(date), time: formatSlot(timeSlot) };
}
