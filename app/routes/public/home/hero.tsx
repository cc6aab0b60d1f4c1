import { Icon } from "#app/components/icons.tsx";
import { GST_PERCENT } from "#app/model/price.ts";
import { PickButton } from "#app/routes/public/home/form/pick-button.tsx";
import {
  type CounselorView,
  type FreeTime,
  type PackageView,
  pickValue,
} from "#app/routes/public/parts/offer.ts";
import { FlightChart, HorizonStrip } from "./flight-chart.tsx";

interface HeroProps {
  counselors: readonly CounselorView[];
  /** The cheapest package. */
  from: PackageView;
  /** The next free time of each captain. */
  nextFree: readonly FreeTime[];
  onPick: (time: FreeTime) => void;
}

export function Hero({ counselors, from, nextFree, onPick }: HeroProps) {
  return (
    <section className="bg-night text-night-ink" aria-labelledby="promise">
      <div className="mx-auto grid max-w-page gap-x-10 px-4 pb-8 pt-6 md:px-6 lg:grid-cols-[1.15fr_1fr] lg:items-center lg:py-14">
        <div className="min-w-0">
          <h1 id="promise" className="display">
            <span className="block text-3xl lg:text-4xl">Thinking of becoming a pilot?</span>
            <span className="mt-2 block text-xl text-sky lg:text-2xl">
              Talk it through with a captain before you spend on training.
            </span>
          </h1>
          <p className="mt-4 max-w-text text-night-muted md:text-lg">
            A one-on-one call about your marks, medical, budget and route: the DGCA licence step by
            step, cadet programme or flying school, India or abroad. For students and their parents.
          </p>
          <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
            <a
              href="#book"
              className="button bg-sky text-night hover:bg-white focus-visible:outline-white"
            >
              Choose your session
              <Icon name="arrowRight" />
            </a>
            <p className="figures leading-snug">
              <span className="display block text-lg">From {from.total}, GST included</span>
              <span className="block text-sm text-night-muted">
                {`${from.minutes} minutes: ${from.base} + ${GST_PERCENT}% GST`}
              </span>
            </p>
          </div>
          <NextFree counselors={counselors} nextFree={nextFree} onPick={onPick} />
        </div>
        <FlightChart className="hidden w-full lg:block" />
      </div>
      <HorizonStrip className="block h-12 w-full lg:hidden" />
    </section>
  );
}

/** Set like a departures board: a plain fact, each row one press from being chosen. */
function NextFree({ counselors, nextFree, onPick }: Omit<HeroProps, "from">) {
  if (nextFree.length === 0) return null;
  return (
    <div className="mt-7 max-w-text">
      <h2 className="text-sm text-night-muted">Next free times, Indian time (IST)</h2>
      <ul className="mt-2 divide-y divide-night-line rounded-lg border border-night-line bg-night-raised">
        {nextFree.map((time) => (
          <li key={pickValue(time)}>
            <PickButton
              time={time}
              onPick={onPick}
              className="figures flex min-h-12 w-full cursor-pointer flex-wrap items-baseline gap-x-4 px-4 py-2.5 text-left hover:bg-night focus-visible:outline-white"
            >
              <span className="display text-lg text-horizon">{time.time}</span>
              <span>{time.day}</span>
              <span className="text-night-muted sm:ml-auto">
                {counselors.find((one) => one.key === time.counselorKey)?.name}
              </span>
            </PickButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
