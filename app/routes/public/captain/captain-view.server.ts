/** What a captain's page shows, and its structured data for search engines. */
import { href } from "react-router";
import { readBookable } from "#app/catalogue/read.server.ts";
import { captainCard } from "#app/components/captain-card.tsx";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { findCounselorByKey, portraitSource } from "#app/model/catalogue.ts";
import { CURRENCY, priceOf, priceWords, rupeesOf } from "#app/model/money.ts";
import { nextFreeTimes } from "#app/routes/public/parts/next-free.server.ts";
import { businessView } from "#app/routes/public/parts/public-page.tsx";
import { captainRatings } from "#app/sessions/ratings.server.ts";
import { sumRatings } from "#db/queries/ratings.server.ts";

export type CaptainView = ReturnType<typeof captainView>;

/** Throws a 404 if there is no such captain, or nobody can book them. */
export function captainView(deps: ReadDeps, key: string) {
  const { counselors, packages } = readBookable(deps);
  const counselor = found(findCounselorByKey({ counselors }, key));
  const { env } = deps;
  return {
    key,
    captain: captainCard(counselor, sumRatings(deps.db, counselor.key)),
    image: counselor.portrait && env.publicUrl + portraitSource(counselor.portrait).src,
    sessions: packages.map(({ minutes, label, description, price }) => ({
      minutes,
      label,
      description,
      ...priceWords(priceOf(price)),
      rupees: rupeesOf(priceOf(price).totalPaise),
      /** The booking form with this captain and package chosen. */
      to: `${href("/")}?${new URLSearchParams({ counselor: key, package: String(minutes) })}#book`,
    })),
    nextFree: nextFreeTimes(deps, key),
    ratings: captainRatings(deps, key),
    business: businessView(env),
    publicUrl: env.publicUrl,
  };
}

/** Captain, service and prices in the vocabulary of schema.org, without ratings. */
export function structuredData({ key, captain, image, sessions, nextFree, ...view }: CaptainView) {
  const { publicUrl, business } = view;
  const url = publicUrl + href("/captains/:key", { key });
  const availability = nextFree.length > 0 ? "InStock" : "SoldOut";
  const organization = { "@id": `${publicUrl}/#organization` };
  return {
    "@context": "https://schema.org",
    "@graph": [
      { "@type": "Organization", ...organization, name: business.name, url: `${publicUrl}/` },
      {
        "@type": "Person",
        "@id": `${url}#captain`,
        url,
        name: captain.name,
        jobTitle: captain.title,
        ...(captain.description && { description: captain.description }),
        ...(image && { image }),
        ...(captain.languages.length > 0 && { knowsLanguage: captain.languages }),
        ...(captain.specialties.length > 0 && { knowsAbout: captain.specialties }),
        worksFor: organization,
      },
      {
        "@type": "Service",
        "@id": `${url}#service`,
        url,
        name: `${business.brand.tagline} with ${captain.name}`,
        serviceType: "Career counselling",
        areaServed: "IN",
        provider: { "@id": `${url}#captain` },
        offers: sessions.map(({ minutes, label, description, rupees, to }) => ({
          "@type": "Offer",
          name: `${minutes} minutes: ${label}`,
          ...(description && { description }),
          price: rupees,
          priceCurrency: CURRENCY,
          availability: `https://schema.org/${availability}`,
          url: publicUrl + to,
          seller: organization,
        })),
      },
    ],
  };
}
