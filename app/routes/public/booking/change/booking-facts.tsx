/** Which booking a page is about, in the words of its pass. */
export interface BookingFacts {
  traveller: string;
  captain: string;
  /** Date and start time with IST. */
  session: string;
  duration: string;
  shortId: string;
}

interface BookingFactsCardProps {
  facts: BookingFacts;
  /** False for a booking that stays as it is. */
  open: boolean;
}

export function BookingFactsCard({ facts, open }: BookingFactsCardProps) {
  return (
    <section aria-label="Your booking" className="card overflow-hidden shadow-low">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 bg-night px-5 py-3 text-night-ink">
        <p className="display text-lg">Your booking</p>
        <p className="font-mono">{facts.shortId}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-5 py-4 lg:grid-cols-1">
        <Fact label={open ? "Now on" : "Session"} value={facts.session} wide />
        <Fact label="Captain" value={facts.captain} />
        <Fact label="Duration" value={facts.duration} />
        <Fact label="Traveller" value={facts.traveller} wide />
      </dl>
    </section>
  );
}

function Fact({ label, value, wide }: { label: string; value: string; wide?: boolean }) {
  return (
    <div className={wide ? "col-span-full min-w-0" : "min-w-0"}>
      <dt className="legend">{label}</dt>
      <dd className="figures break-words font-semibold leading-snug">{value}</dd>
    </div>
  );
}
