/** The top of the home page: promise, lowest price and next free times. */
import { Icon } from "#app/components/icons.tsx";
import { GST_PERCENT } from "#app/model/money.ts";
import { WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import { cheapestOf, FreeTimeButton, freeTimeValue } from "./form/eager-parts.tsx";
import type { HomeView } from "./home-view.server.ts";

interface HeroProps {
  home: HomeView;
}

export function Hero({ home }: HeroProps) {
  const from = cheapestOf(home.offer);
  const canBook = home.nextFree.length > 0;
  return (
    <section className="bg-night text-night-ink" aria-labelledby="promise">
      <div className="mx-auto grid max-w-page gap-x-10 px-4 pt-3 md:px-6 md:pb-4 md:pt-6 lg:grid-cols-[1.15fr_1fr] lg:items-center lg:py-14">
        <div className="min-w-0">
          <h1 id="promise" className="display">
            <span className="block text-3xl lg:text-4xl">Thinking of becoming a pilot?</span>
            <span className="mt-2 block text-xl text-sky lg:text-2xl">
              Talk it through with a captain before you spend on training.
            </span>
          </h1>
          <p className="mt-4 max-w-text text-night-muted md:text-lg">
            A one-on-one call about your marks, medical, budget and route
            <span className="max-md:hidden">
              : the DGCA licence step by step, cadet programme or flying school, India or abroad
            </span>
            . For students and their parents.
          </p>
          <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-2 md:mt-6">
            {canBook && (
              <a
                href="#book"
                className="button bg-sky text-night hover:bg-white focus-visible:outline-white"
              >
                Choose your session
                <Icon name="arrowRight" />
              </a>
            )}
            <p className="figures leading-snug">
              <span className="display block text-lg">From {from.total}, GST included</span>
              <span className="block text-sm text-night-muted">
                {`${from.minutes} minutes: ${from.base} + ${GST_PERCENT}% GST`}
              </span>
            </p>
          </div>
          {canBook ? <NextFree home={home} /> : <NothingFree home={home} />}
        </div>
        <FlightChart />
      </div>
      <HorizonStrip />
    </section>
  );
}

/** Looks like a departures board; each row is a button that chooses its time. */
function NextFree({ home: { nextFree } }: HeroProps) {
  return (
    <div className="mt-4 max-w-text md:mt-6">
      <h2 className="text-sm text-night-muted">Next free time, Indian time (IST)</h2>
      <ul className="mt-2 divide-y divide-night-line rounded-lg border border-night-line bg-night-raised">
        {nextFree.map(({ time, captain, note }) => (
          <li key={freeTimeValue(time)}>
            <FreeTimeButton
              time={time}
              className="figures flex min-h-12 w-full cursor-pointer flex-wrap items-baseline gap-x-4 px-4 py-2.5 text-left hover:bg-night focus-visible:outline-white"
            >
              <span className="display text-lg text-horizon">{time.time}</span>
              <span>{time.day}</span>
              <span className="text-night-muted sm:ml-auto">{captain}</span>
              {note && <span className="basis-full text-sm text-night-muted">{note}</span>}
            </FreeTimeButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Replaces the link to the form. */
function NothingFree({ home: { offer, business } }: HeroProps) {
  const what =
    offer.counselors.length === 0
      ? "No captain can be booked at the moment."
      : "No times are free at the moment.";
  return (
    <p className="mt-6 max-w-text rounded-lg border border-night-line bg-night-raised p-4 [&_a]:text-sky">
      {what} If you want a session, please <WriteOrCall business={business} />.
    </p>
  );
}

const WAYPOINTS = [
  { x: 62, y: 318, name: "CLASS 12", side: "right" },
  { x: 150, y: 262, name: "MEDICAL", side: "right" },
  { x: 246, y: 204, name: "DGCA PAPERS", side: "right" },
  { x: 346, y: 142, name: "FLYING HOURS", side: "left" },
  { x: 430, y: 86, name: "LICENCE", side: "left" },
] as const;

const AIRCRAFT =
  "M0-17c2.5 0 3.5 3 3.5 6.5v9L22 9v4.5L3.5 8.5V17l6 4.5v4L0 23l-9.5 2.5v-4l6-4.5V8.5L-22 13.5V9L-3.5-1.5v-9c0-3.5 1-6.5 3.5-6.5z";

/** A flight route whose waypoints are the stages of a pilot's training. */
function FlightChart() {
  return (
    <svg viewBox="0 0 520 400" className="hidden w-full lg:block" aria-hidden="true">
      <path
        d="M0 60h520M0 130h520M0 200h520M0 270h520M80 0v400M180 0v400M280 0v400M380 0v400M480 0v400"
        className="stroke-night-raised"
      />
      <path d="M0 372Q260 318 520 372v28H0z" className="fill-night-raised" />
      <path d="M0 372Q260 318 520 372" fill="none" strokeWidth="2.5" className="stroke-horizon" />
      <path
        d="M20 344C120 282 300 176 470 58"
        fill="none"
        strokeWidth="2"
        strokeDasharray="2 9"
        strokeLinecap="round"
        className="stroke-sky"
      />
      <g strokeWidth="2" strokeLinejoin="round" className="fill-night stroke-sky">
        {WAYPOINTS.map(({ x, y, name }) => (
          <path key={name} d={`M${x} ${y - 9}l8.5 15h-17z`} />
        ))}
      </g>
      <g fontSize="14" letterSpacing="1" className="fill-night-muted font-display">
        {WAYPOINTS.map(({ x, y, name, side }) => (
          <text
            key={name}
            x={side === "right" ? x + 16 : x - 16}
            y={side === "right" ? y + 20 : y - 8}
            textAnchor={side === "right" ? undefined : "end"}
          >
            {name}
          </text>
        ))}
      </g>
      <path transform="translate(478 52) rotate(55)" d={AIRCRAFT} className="fill-night-ink" />
    </svg>
  );
}

const STRIP_WAYPOINTS = ["40 43", "96 36", "159 29.5", "230 22"];

/** The chart for phones, without text. */
function HorizonStrip() {
  return (
    <svg
      viewBox="0 0 360 64"
      preserveAspectRatio="none"
      className="block h-12 w-full md:h-24 lg:hidden"
      aria-hidden="true"
    >
      <path d="M0 56Q180 24 360 56v8H0z" className="fill-night-raised" />
      <path d="M0 56Q180 24 360 56" fill="none" strokeWidth="2" className="stroke-horizon" />
      <path
        d="M8 48C90 34 220 26 336 8"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 7"
        strokeLinecap="round"
        className="stroke-sky"
      />
      <g strokeWidth="1.5" strokeLinejoin="round" className="fill-night stroke-sky">
        {STRIP_WAYPOINTS.map((at) => (
          <path key={at} transform={`translate(${at})`} d="M0-5l4.5 8h-9z" />
        ))}
      </g>
      <path
        transform="translate(312 11.5) rotate(72) scale(.5)"
        d={AIRCRAFT}
        className="fill-night-ink"
      />
    </svg>
  );
}
