import { CaptainCard } from "#app/components/captain-card.tsx";
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
          <CaptainCard key={counselor.key} counselor={counselor}>
            {/* biome-ignore lint/a11y/useValidAnchor: it leads to the form, and chooses there */}
            <a href="#book" onClick={() => onChoose(counselor)} className="button button-quiet">
              Book with {counselor.name}
            </a>
          </CaptainCard>
        ))}
      </div>
    </section>
  );
}
