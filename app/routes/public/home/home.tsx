/** The home page with the booking form. */
import type { MetaDescriptor } from "react-router";
import { brandIn } from "#app/components/brand.tsx";
import { Toaster } from "#app/components/toasts.tsx";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { CURRENCY } from "#app/model/money.ts";
import { PublicPage, pageMeta, WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import { type Kept, readOrKeep, useShown } from "#app/routes/public/parts/use-refresh.ts";
import { useTellAlive } from "#app/speed/wait-for-visitor.ts";
import type { Route } from "./+types/home";
import { BookingForm } from "./form/booking-form.tsx";
import { cheapestOf, OwnHold } from "./form/eager-parts.tsx";
import { Hero } from "./hero.tsx";
import { answerHomeForm, formOfLink } from "./home-form.server.ts";
import { type HomeView, homeView } from "./home-view.server.ts";
import { Captains, MoreLinks, Questions, Steps, WhatHappensNext } from "./sections.tsx";

export const handle = { hydrate: true };

export async function loader({ context, request, url: { searchParams } }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const view = await homeView(deps, request, searchParams.get("counselor"));
  return { ...view, begun: formOfLink(deps, searchParams) };
}

const kept: Kept<Awaited<ReturnType<typeof loader>>> = { shown: null };

export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return readOrKeep(kept, serverLoader);
}

export async function action({ context, request }: Route.ActionArgs) {
  const { address } = context.get(clientContext);
  return answerHomeForm(context.get(depsContext), request, address);
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

/** Created once, because creating it takes longer than everything else in `meta`. */
const ALTERNATIVES = new Intl.ListFormat("en-IN", { type: "disjunction" });

export function meta({ loaderData, matches }: Route.MetaArgs): MetaDescriptor[] {
  const brand = brandIn(matches);
  if (!loaderData) return [{ title: brand.name }];
  const { offer, business, publicUrl } = loaderData;
  const title = `${brand.name}: talk to a captain about becoming a pilot`;
  const lengths = ALTERNATIVES.format(offer.packages.map((one) => String(one.minutes)));
  const description = `One-on-one aviation career counselling in India. ${lengths} minutes, from ${cheapestOf(offer).total} with GST. Choose a captain and a time, and pay online.`;
  return [
    ...pageMeta(publicUrl, "/", title, description, brand),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Service",
        name: brand.tagline,
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

/** Links to the sections that the page has. */
function anchorsOf({ offer, questions }: HomeView) {
  return [
    { to: "#captains", label: "Captains", isThere: offer.counselors.length > 0 },
    { to: "#book", label: "Book", isThere: true },
    { to: "#how", label: "How it works", isThere: true },
    { to: "#questions", label: "Questions", isThere: questions.length > 0 },
  ].filter(({ isThere }) => isThere);
}

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { offer, own } = loaderData;
  useShown(kept, loaderData);
  useTellAlive();
  return (
    <PublicPage business={loaderData.business} anchors={anchorsOf(loaderData)}>
      {/* The form's first button, so that Enter in a field submits it instead of choosing a time. */}
      <button type="submit" form="booking" hidden>
        Book and pay
      </button>
      {own && <OwnHold own={own} line="mx-auto max-w-page px-4 py-3 md:px-6" />}
      {loaderData.notBookable && (
        <p role="status" className="bg-waiting-soft text-waiting-ink">
          <span className="mx-auto block max-w-page px-4 py-3 md:px-6">
            {`${loaderData.notBookable} takes no bookings. Please choose another captain.`}
          </span>
        </p>
      )}
      <Hero home={loaderData} />
      {offer.counselors.length > 0 && <Captains counselors={offer.counselors} />}
      <section
        id="book"
        aria-label="Book your session"
        className="mx-auto max-w-page scroll-mt-4 px-4 pt-10 md:px-6 md:pt-16"
      >
        {offer.counselors.length === 0 ? (
          <div className="card mx-auto max-w-text p-6 md:p-8">
            <h2 className="display text-2xl">No captain can be booked at the moment</h2>
            <p className="mt-3">
              Bookings made before stay as they are. If you want a session, please{" "}
              <WriteOrCall business={loaderData.business} />.
            </p>
          </div>
        ) : (
          <BookingForm home={loaderData} returned={actionData ?? loaderData.begun} />
        )}
      </section>
      <Steps />
      <WhatHappensNext home={loaderData} />
      <Questions questions={loaderData.questions} />
      <MoreLinks links={offer.links} />
      <Toaster />
    </PublicPage>
  );
}
