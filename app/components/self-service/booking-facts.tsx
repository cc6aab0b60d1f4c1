/** Which booking a page is about, in the words of its pass. */
export interface BookingFacts {
  traveller: string;
  captain: string;
  /** Date and start time with IST. */
  session: string;
  duration: string;
  shortId: string;
}

export function BookingFactsCard({ facts }: { facts: BookingFacts }) {
  return (
    <section aria-label="Your booking" className="card overflow-hidden shadow-low">
      <div className="flex items-baseline justify-between gap-4 bg-night px-5 py-3 text-night-ink">
        <p className="display text-lg">Your booking</p>
        <p className="font-mono">{facts.shortId}</p>
      </div>
      <dl className="grid gap-3 px-5 py-4">
        <Fact label="Now on" value={facts.session} />
        <Fact label="Captain" value={facts.captain} />
        <Fact label="Traveller" value={facts.traveller} />
        <Fact label="Duration" value={facts.duration} />
      </dl>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="legend">{label}</dt>
      <dd className="figures break-words font-semibold leading-snug">{value}</dd>
    </div>
  );
}
