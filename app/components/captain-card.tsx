/** A captain as visitors see them: the card and the portrait. */
import type { ReactNode } from "react";
import { FEWEST_RATINGS } from "#app/model/after-session.ts";
import { type Counselor, portraitSource } from "#app/model/catalogue.ts";
import { placeWords, type RoomKind } from "#app/model/room.ts";
import { Icon } from "./icons.tsx";

export type CaptainCardView = ReturnType<typeof captainCard>;

type CardFacts = Omit<
  Counselor,
  "key" | "formerNames" | "email" | "meeting" | "room" | "active" | "position" | "version"
> & { room: { kind: RoomKind } };

/** Leaves out the meeting link, the e-mail address and everything else that is not for visitors. */
export function captainCard(counselor: CardFacts, real?: { count: number; stars: number }) {
  const isReal = real !== undefined && real.count >= FEWEST_RATINGS;
  return {
    name: counselor.name,
    title: counselor.title,
    description: counselor.description,
    yearsOfExperience: counselor.yearsOfExperience,
    sessions: counselor.sessions,
    specialties: counselor.specialties,
    languages: counselor.languages,
    portrait: counselor.portrait,
    sample: counselor.sample,
    rating: isReal ? (real.stars / real.count).toFixed(1) : (counselor.rating?.toFixed(1) ?? null),
    /** How many people rated; null if the rating is the owner's own figure. */
    ratings: isReal ? real.count : null,
    place: placeWords(counselor.room),
    byPhone: counselor.room.kind === "phone",
  };
}

interface CaptainCardProps {
  counselor: CaptainCardView;
  /** The captain's own page, if the card leads there. */
  to?: string;
  /** The name is the heading of the page. */
  isPage?: boolean;
  children?: ReactNode;
}

/** `children` are at the foot, beside where the session takes place. */
export function CaptainCard({ counselor, to, isPage = false, children }: CaptainCardProps) {
  const Name = isPage ? "h1" : "h3";
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
          <Name className={`display ${isPage ? "text-2xl" : "text-xl"}`}>
            {to ? (
              <a href={to} className="underline-offset-4 hover:underline">
                {counselor.name}
              </a>
            ) : (
              counselor.name
            )}
          </Name>
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
      {counselor.languages.length > 0 && (
        <p className="mt-4 wrap-anywhere">Speaks {counselor.languages.join(", ")}</p>
      )}
      {facts.length > 0 && (
        <dl className="figures mt-5 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-x-2 border-y border-line py-3">
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
          <Icon name={counselor.byPhone ? "call" : "screen"} />
          {counselor.place}
        </p>
        {children}
      </div>
    </article>
  );
}

/** The captain's known figures, each with its label. */
function factsOf({
  yearsOfExperience,
  rating,
  ratings,
  sessions,
}: CaptainCardView): [string, string][] {
  const facts: [string, string][] = [];
  if (yearsOfExperience !== null) facts.push(["Years of experience", `${yearsOfExperience}+`]);
  if (rating !== null) {
    facts.push([
      ratings === null ? "Rating, our own figure" : `Of 5, from ${ratings} ratings`,
      rating,
    ]);
  }
  if (sessions !== null) facts.push(["Sessions", `${sessions}+`]);
  return facts;
}

interface PortraitProps {
  portrait: string | null;
  alt: string;
  /** Width and height in pixels. */
  size: number;
  className: string;
}

/** Without a portrait, a drawn placeholder. */
export function Portrait({ portrait, alt, size, className }: PortraitProps) {
  if (portrait === null) {
    return (
      <svg
        viewBox="0 0 24 24"
        aria-hidden="true"
        className={`bg-action-soft text-muted ${className}`}
      >
        <path d="M4 24v-2a8 6 0 0 1 16 0v2z" fill="currentColor" />
        <circle cx="12" cy="10" r="4.5" fill="currentColor" />
      </svg>
    );
  }
  return (
    <img
      {...portraitSource(portrait)}
      sizes={`${size}px`}
      alt={alt}
      width={size}
      height={size}
      loading="lazy"
      className={className}
    />
  );
}
