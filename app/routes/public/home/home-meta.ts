/** Title, description, preview and structured data of the booking page. */
import type { MetaDescriptor } from "react-router";
import { BRAND } from "#app/catalogue.ts";
import { CURRENCY } from "#app/model/price.ts";
import type { BusinessView } from "#app/routes/public/parts/business-view.server.ts";
import { cheapestOf, type Offer } from "#app/routes/public/parts/offer.ts";
import { pageMeta } from "#app/routes/public/parts/page-meta.ts";

interface HomeFacts {
  offer: Offer;
  business: BusinessView;
  publicUrl: string;
}

/** Made once: it takes longer than everything else here. */
const ALTERNATIVES = new Intl.ListFormat("en-IN", { type: "disjunction" });

export function homeMeta({ offer, business, publicUrl }: HomeFacts): MetaDescriptor[] {
  const title = `${BRAND.name}: talk to a captain about becoming a pilot`;
  const lengths = ALTERNATIVES.format(offer.packages.map((one) => String(one.minutes)));
  const description = `One-on-one aviation career counselling in India. ${lengths} minutes, from ${cheapestOf(offer).total} with GST. Choose a captain and a time, and pay online.`;
  return [
    ...pageMeta({ title, description, url: `${publicUrl}/`, publicUrl }),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Service",
        name: BRAND.tagline,
        serviceType: "Career counselling",
        areaServed: "IN",
        provider: { "@type": "Organization", name: business.name, url: `${publicUrl}/` },
        offers: offer.packages.map((one) => ({
          "@type": "Offer",
          name: `${one.minutes} minutes: ${one.label}`,
          priceCurrency: CURRENCY,
          price: Number(one.total.replace(/[^\d.]/g, "")),
          url: `${publicUrl}/#book`,
        })),
      },
    },
  ];
}
