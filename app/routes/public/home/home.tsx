/** The booking page. */
import { data } from "react-router";
import { readOwnBooking } from "#app/booking/own-booking.server.ts";
import { BRAND } from "#app/catalogue.ts";
import { Toaster } from "#app/components/toaster.tsx";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { answerHomeForm } from "#app/routes/public/home/form/home-form.server.ts";
import {
  LateBookingForm,
  wakeBookingForm,
} from "#app/routes/public/home/form/late-booking-form.tsx";
import { OwnHold } from "#app/routes/public/home/form/own-hold.tsx";
import { ownView } from "#app/routes/public/home/form/own-view.server.ts";
import { pickTime } from "#app/routes/public/home/form/pick.ts";
import { type BusinessView, businessView } from "#app/routes/public/parts/business-view.server.ts";
import { nextFreeTimes, notBookable, readOffer } from "#app/routes/public/parts/offer.server.ts";
import { type CounselorView, cheapestOf, type FreeTime } from "#app/routes/public/parts/offer.ts";
import { PublicPage } from "#app/routes/public/parts/public-page.tsx";
import { WriteOrCall } from "#app/routes/public/parts/write-or-call.tsx";
import type { Route } from "./+types/home";
import { Captains } from "./captains.tsx";
import { Hero } from "./hero.tsx";
import { homeMeta } from "./home-meta.ts";
import { MoreLinks } from "./more-links.tsx";
import { questionsOf } from "./questions.server.ts";
import { Questions } from "./questions.tsx";
import { Steps } from "./steps.tsx";
import { WhatHappensNext } from "./what-happens-next.tsx";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const { env } = deps;
  const own = await readOwnBooking(deps, request);
  return {
    offer: readOffer(deps),
    notBookable: notBookable(deps, url.searchParams.get("counselor")),
    nextFree: nextFreeTimes(deps),
    own: own && ownView(own, deps.now()),
    business: businessView(env),
    questions: questionsOf(env),
    whatsapp: env.whatsapp !== null,
    checkoutUrl: env.razorpay.checkoutUrl,
    publicUrl: env.publicUrl,
    payMinutes: Math.round(env.paymentWindowSeconds / 60),
    cutoffHours: env.selfServiceCutoffHours,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { address } = context.get(clientContext);
  const answer = await answerHomeForm(deps, request, address);
  if (answer instanceof Response) return answer;
  const { returned, status, headers = {} } = answer;
  return data(returned, { status, headers });
}

/** Passes on the Retry-After of a refused form. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? homeMeta(loaderData) : [{ title: BRAND.name }];
}

const ANCHORS = [
  { to: "#how", label: "How it works" },
  { to: "#captains", label: "Captains" },
  { to: "#book", label: "Book" },
  { to: "#questions", label: "Questions" },
] as const;

/** With nobody to book there is no list of captains. */
const ANCHORS_OF_NOBODY = ANCHORS.filter(({ to }) => to !== "#captains");

function takeTime(time: FreeTime) {
  document.getElementById("book")?.scrollIntoView();
  wakeBookingForm();
  pickTime(time);
}

function chooseCaptain({ key }: CounselorView) {
  document.getElementById(`booking-counselor-${key}`)?.click();
}

function NobodyToBook({ business }: { business: BusinessView }) {
  return (
    <div className="card mx-auto max-w-text p-6 md:p-8">
      <h2 className="display text-2xl">No captain can be booked at the moment</h2>
      <p className="mt-3">
        Bookings made before stay as they are. If you want a session, please{" "}
        <WriteOrCall business={business} />.
      </p>
    </div>
  );
}

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { offer } = loaderData;
  return (
    <PublicPage
      business={loaderData.business}
      anchors={offer.counselors.length > 0 ? ANCHORS : ANCHORS_OF_NOBODY}
    >
      {/* The form's first button, so that Enter in a field submits and does not choose a time. */}
      <button type="submit" form="booking" hidden>
        Book and pay
      </button>
      {loaderData.own && (
        <OwnHold own={loaderData.own} line="mx-auto max-w-page px-4 py-3 md:px-6" />
      )}
      {loaderData.notBookable && (
        <p role="status" className="bg-waiting-soft text-waiting-ink">
          <span className="mx-auto block max-w-page px-4 py-3 md:px-6">
            {`${loaderData.notBookable} takes no bookings. Please choose another captain.`}
          </span>
        </p>
      )}
      <Hero
        counselors={offer.counselors}
        from={cheapestOf(offer)}
        nextFree={loaderData.nextFree}
        onPick={takeTime}
      />
      <Steps />
      {offer.counselors.length > 0 && (
        <Captains counselors={offer.counselors} onChoose={chooseCaptain} />
      )}
      <section
        id="book"
        aria-label="Book your session"
        className="mx-auto max-w-page scroll-mt-4 px-4 pt-16 md:px-6"
      >
        {offer.counselors.length === 0 ? (
          <NobodyToBook business={loaderData.business} />
        ) : (
          <LateBookingForm
            offer={offer}
            own={loaderData.own}
            returned={actionData ?? null}
            checkoutUrl={loaderData.checkoutUrl}
            whatsapp={loaderData.whatsapp}
            payMinutes={loaderData.payMinutes}
            cutoffHours={loaderData.cutoffHours}
            gstin={loaderData.business.gstin}
          />
        )}
      </section>
      <WhatHappensNext whatsapp={loaderData.whatsapp} cutoffHours={loaderData.cutoffHours} />
      <Questions questions={loaderData.questions} />
      <MoreLinks links={offer.links} />
      <Toaster />
    </PublicPage>
  );
}
