import { Icon } from "#app/components/icons.tsx";
import type { CounselorView } from "#app/routes/public/parts/offer.ts";

interface CaptainsProps {
  counselors: readonly CounselorView[];
  onChoose: (counselor: CounselorView) => void;
}

export function Captains({ counselors, onChoose }: CaptainsProps) {
  return (
    <section
      id="captains"
      aria-labelledby="captains-title"
      className="mx-auto max-w-page px-4 pt-14 md:px-6"
    >
      <h2 id="captains-title" className="display text-2xl">
        Your captains
      </h2>
      <div className="mt-6 grid gap-6 lg:grid-cols-2">
        {counselors.map((counselor) => (
          <CaptainCard
            key={counselor.key}
            counselor={counselor}
            onChoose={() => onChoose(counselor)}
          />
        ))}
      </div>
    </section>
  );
}

function CaptainCard({ counselor, onChoose }: { counselor: CounselorView; onChoose: () => void }) {
  return (
    <article className="card flex min-w-0 flex-col p-5 shadow-low md:p-6">
      <div className="flex flex-wrap gap-4">
        <img
          src={`/portraits/${counselor.portrait}`}
          alt={counselor.sample ? `Sample drawing of ${counselor.name}` : counselor.name}
          width="96"
          height="96"
          loading="lazy"
          className="size-24 shrink-0 rounded-lg border border-line"
        />
        <div className="min-w-0 flex-1 basis-36">
          <h3 className="display text-xl">{counselor.name}</h3>
          <p className="text-muted">{counselor.title}</p>
          {counselor.sample && (
            <p className="mt-1.5 inline-block rounded-sm bg-waiting-soft px-2 py-0.5 text-sm text-waiting-ink">
              Sample profile
            </p>
          )}
        </div>
      </div>
      <p className="mt-4">{counselor.description}</p>
      <ul className="mt-4 flex flex-wrap gap-2" aria-label="Specialties">
        {counselor.specialties.map((specialty) => (
          <li key={specialty} className="rounded-full bg-action-soft px-3 py-1 text-sm">
            {specialty}
          </li>
        ))}
      </ul>
      <dl className="figures mt-5 grid grid-cols-3 border-y border-line py-3">
        <Fact label="Years of experience" value={`${counselor.yearsOfExperience}+`} />
        <Fact label="Rating" value={counselor.rating} />
        <Fact label="Sessions" value={`${counselor.sessions}+`} />
      </dl>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3 pt-4">
        <p className="flex items-center gap-2 text-sm text-muted">
          <Icon name={counselor.meetingKind === "link" ? "screen" : "call"} />
          {counselor.gate}
        </p>
        {/* biome-ignore lint/a11y/useValidAnchor: it leads to the form, and chooses there */}
        <a href="#book" onClick={onChoose} className="button button-quiet">
          Book with {counselor.name}
        </a>
      </div>
    </article>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="legend">{label}</dt>
      <dd className="display text-xl">{value}</dd>
    </div>
  );
}
