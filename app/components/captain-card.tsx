/** A captain as visitors see them. */
import type { ReactNode } from "react";
import { gateWords, type Meeting } from "#app/model/catalogue.ts";
import { Icon } from "./icons.tsx";
import { Portrait } from "./portrait.tsx";

export interface CaptainCardView {
  name: string;
  title: string;
  description: string;
  yearsOfExperience: number | null;
  /** One decimal. */
  rating: string | null;
  sessions: number | null;
  specialties: readonly string[];
  portrait: string | null;
  sample: boolean;
  /** How the session takes place. */
  gate: string;
  meetingKind: "link" | "call";
}

type CardFacts = Omit<CaptainCardView, "rating" | "gate" | "meetingKind"> & {
  rating: number | null;
  meeting: Pick<Meeting, "kind">;
};

/** Without the meeting link, the mail address and what else is not for visitors. */
export function captainCard(counselor: CardFacts): CaptainCardView {
  const { name, title, description, yearsOfExperience, rating, sessions } = counselor;
  const { specialties, portrait, sample, meeting } = counselor;
  return {
    ...{ name, title, description, yearsOfExperience, sessions, specialties, portrait, sample },
    rating: rating?.toFixed(1) ?? null,
    gate: gateWords(meeting),
    meetingKind: meeting.kind,
  };
}

interface CaptainCardProps {
  counselor: CaptainCardView;
  /** Beside how the session takes place. */
  children?: ReactNode;
}

export function CaptainCard({ counselor, children }: CaptainCardProps) {
  const facts = factsOf(counselor);
  return (
    <article className="card flex min-w-0 flex-col p-5 shadow-low md:p-6">
      <div className="flex flex-wrap gap-4">
        <Portrait
          portrait={counselor.portrait}
          alt={counselor.sample ? `Sample drawing of ${counselor.name}` : counselor.name}
          size={96}
          className="size-24 shrink-0 rounded-lg border border-line"
        />
        <div className="min-w-0 flex-1 basis-36 wrap-anywhere">
          <h3 className="display text-xl">{counselor.name}</h3>
          <p className="text-muted">{counselor.title}</p>
          {counselor.sample && (
            <p className="mt-1.5 inline-block rounded-sm bg-waiting-soft px-2 py-0.5 text-sm text-waiting-ink">
              Sample profile
            </p>
          )}
        </div>
      </div>
      <p className="mt-4 wrap-anywhere">{counselor.description}</p>
      {counselor.specialties.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-2" aria-label="Specialties">
          {counselor.specialties.map((specialty) => (
            <li key={specialty} className="rounded-full bg-action-soft px-3 py-1 text-sm">
              {specialty}
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && (
        <dl className="figures mt-5 grid grid-cols-3 border-y border-line py-3">
          {facts.map(([label, value]) => (
            <div key={label} className="flex flex-col-reverse justify-end">
              <dt className="legend">{label}</dt>
              <dd className="display text-xl">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3 pt-4">
        <p className="flex items-center gap-2 text-sm text-muted">
          <Icon name={counselor.meetingKind === "link" ? "screen" : "call"} />
          {counselor.gate}
        </p>
        {children}
      </div>
    </article>
  );
}

/** What is known of them, worded. */
function factsOf({ yearsOfExperience, rating, sessions }: CaptainCardView): [string, string][] {
  const facts: [string, string | null][] = [
    ["Years of experience", yearsOfExperience === null ? null : `${yearsOfExperience}+`],
    ["Rating", rating],
    ["Sessions", sessions === null ? null : `${sessions}+`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
