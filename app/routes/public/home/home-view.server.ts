/** What the home page shows: catalogue, free times, questions, the visitor's own booking. */
import { lastDateOffered } from "#app/availability/slots.ts";
import { type OwnBooking, readOwnBooking } from "#app/booking/booking-page.server.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import { captainCard } from "#app/components/captain-card.tsx";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { payTimeWords } from "#app/model/appointment.ts";
import { findCounselorAsked, shownTotals } from "#app/model/catalogue.ts";
import { dateInIndia, formatClock, formatDeadline, formatSession, HOUR } from "#app/model/dates.ts";
import { priceOf, priceWords } from "#app/model/money.ts";
import { REMINDER_RULE } from "#app/notifications/reminder-plan.ts";
import { firstFreeTime } from "#app/routes/public/parts/next-free.server.ts";
import { businessView } from "#app/routes/public/parts/public-page.tsx";
import { oncePerOffer } from "#app/speed/offer-answers.server.ts";
import { sumRatings } from "#db/queries/ratings.server.ts";

export type HomeView = Awaited<ReturnType<typeof homeView>>;
export type Offer = HomeView["offer"];
export type OwnView = NonNullable<HomeView["own"]>;

export async function homeView(deps: Deps, request: Request, asked: string | null) {
  const { env } = deps;
  const own = await readOwnBooking(deps, request);
  return {
    offer: readOffer(deps),
    notBookable: notBookable(deps, asked),
    nextFree: nextFree(deps),
    madeAt: deps.now(),
    own: own && ownView(own, deps.now()),
    business: businessView(env),
    askState: env.askState,
    questions: env.questions(env.selfServiceCutoffHours),
    whatsapp: env.whatsapp !== null,
    checkoutUrl: env.razorpay.checkoutUrl,
    publicUrl: env.publicUrl,
    payTime: payTimeWords(env.paymentWindowSeconds),
    cutoffHours: env.selfServiceCutoffHours,
    reminderRule: REMINDER_RULE,
  };
}

/** The public part of the catalogue: no meeting links, no addresses of captains. */
const readOffer = oncePerOffer((deps: ReadDeps) => {
  const { env, now } = deps;
  const at = now();
  const { counselors, packages, links } = readBookable(deps);
  return {
    counselors: counselors.map((one) => ({
      key: one.key,
      ...captainCard(one, sumRatings(deps.db, one.key)),
    })),
    packages: packages.map(({ minutes, label, description, price }) => ({
      minutes,
      label,
      description,
      /** Rupees before GST, as the API takes it. */
      packagePrice: price,
      ...priceWords(priceOf(price)),
    })),
    /** `yyyy-MM-dd` in India. */
    today: dateInIndia(at),
    lastDate: lastDateOffered(env, at),
    shownTotals: shownTotals(packages),
    links,
  };
});

/** The name of the captain in a link whom nobody can book; else null. */
function notBookable(deps: ReadDeps, asked: string | null): string | null {
  if (!asked || findCounselorAsked(readBookable(deps), asked)) return null;
  return findCounselorAsked(readCatalogue(deps.db), asked)?.name ?? null;
}

/** The earliest free time and, if that is too near to be refunded online, the first that is not. */
const nextFree = oncePerOffer((deps: ReadDeps) => {
  const now = deps.now();
  const first = firstFreeTime(deps, now);
  if (!first) return [];
  const cutoff = now + deps.env.selfServiceCutoffHours * HOUR;
  if (first.startsAt >= cutoff) return [{ ...first, note: null }];
  // Half an hour more, because the answer may be cached that long and filling in the form takes time.
  const refundable = firstFreeTime(deps, cutoff + HOUR / 2);
  return [
    { ...first, note: "Begins too soon to be moved or refunded online" },
    ...(refundable ? [{ ...refundable, note: "First with free cancellation" }] : []),
  ];
});

/** The last booking of this browser. */
function ownView({ appointment, state }: OwnBooking, now: number) {
  const { id, counselor, date, timeSlot, minutes, window } = appointment;
  const session = `${formatSession(date, timeSlot)} with ${counselor}`;
  const payBefore = window?.payBefore ?? now;
  const clock = formatDeadline(payBefore, now);
  const ended = `Your time to pay for ${session} ended at ${clock}`;
  const [text, link = "See your booking"] = {
    payable: [`You are holding ${session}. Start paying by ${clock}.`, "Continue to payment"],
    renewable: [`${ended}. The session is still free.`, "Hold it again"],
    over: [`${ended}, and it can no longer be held. Please choose another time.`],
    checking: [
      `Your payment for ${session} is being checked. Last checked at ${formatClock(now, "seconds")} IST.`,
    ],
    paid: [
      `Your session on ${session} is confirmed. If you book again here, that is a second session.`,
    ],
    none: [""],
  }[state];
  return {
    id,
    state,
    text: text!,
    link,
    /** Replaces the text once the time to pay is over. */
    ended: `${ended}.`,
    /** Until when it can be paid; null if it cannot be paid. */
    payBefore: state === "payable" ? payBefore : null,
    now,
    choice: { counselor, date, timeSlot, package: String(minutes) },
  };
}
