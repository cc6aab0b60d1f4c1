/** What the owner offers: captains, packages, default times, outside links. */
import { priceOf, rupeesOf } from "./money.ts";
import { failure, invalid, type Outcome, success } from "./outcome.ts";
import type { FixedMeeting, Room } from "./room.ts";

export interface Counselor {
  /** Stable; stored with every appointment, so that a rename keeps them readable. */
  key: string;
  /** The value of `counselor` in the form and in the JSON contract. */
  name: string;
  /** Former names that still mean this captain. */
  formerNames: readonly string[];
  title: string;
  description: string;
  yearsOfExperience: number | null;
  rating: number | null;
  sessions: number | null;
  specialties: readonly string[];
  languages: readonly string[];
  email: string;
  /** Of bookings made from now on. */
  room: Room;
  /** Of bookings without a room of their own: a captain's `room` of another kind leaves it. */
  meeting: FixedMeeting;
  /** The id of a stored portrait, a sample's file under `/portraits/`, or null. */
  portrait: string | null;
  active: boolean;
  /** Sample data, bookable only on loopback or with sample documents. */
  sample: boolean;
  position: number;
  version: number;
}

export const PACKAGE_MINUTES = [30, 45, 60] as const;
export type PackageMinutes = (typeof PACKAGE_MINUTES)[number];

export const QUESTION_KINDS = ["text", "choice", "number"] as const;

/** Asked of whoever has paid, before the session. */
export interface Question {
  id: string;
  label: string;
  hint: string;
  kind: (typeof QUESTION_KINDS)[number];
  /** Of `choice` alone. */
  choices: readonly string[];
  required: boolean;
}

/** The question's words stay as they were when it was answered. */
export interface Answer {
  id: string;
  label: string;
  answer: string;
}

/** Those of a package that have no answer yet. */
export function unanswered(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly Question[] {
  return questions.filter(({ id }) => !answers.some((one) => one.id === id));
}

/** Those to ask the customer for: once one is answered, others that need no answer may stay blank. */
export function leftToAnswer(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly Question[] {
  const open = unanswered(questions, answers);
  return open.length === questions.length ? open : open.filter(({ required }) => required);
}

export interface SessionPackage {
  minutes: PackageMinutes;
  /** Rupees before GST. */
  price: number;
  label: string;
  description: string;
  active: boolean;
  questions: readonly Question[];
  version: number;
}

export interface Catalogue {
  /** In the page's order, including those taken off. */
  counselors: readonly Counselor[];
  packages: readonly SessionPackage[];
  /** Start times of a day without times of its own, ascending. */
  defaultTimes: readonly string[];
  links: readonly { label: string; url: string }[];
  /** Version of default times and links. */
  version: number;
}

/** Widths in pixels in which a stored portrait is served. */
export const PORTRAIT_WIDTHS = [96, 192, 288] as const;

/** In pixels, as PNG beside the others: neither every mail program nor a PDF takes WebP. */
export const LOGO_PNG_WIDTH = 144;

/** The addresses of a portrait: a sample's own file, or the stored one in its widths. */
export function portraitSource(portrait: string): { src: string; srcSet?: string } {
  if (portrait.includes(".")) return { src: `/portraits/${portrait}` };
  const at = (width: number) => `/portraits/${portrait}/${width}.webp`;
  return {
    src: at(PORTRAIT_WIDTHS[1]),
    srcSet: PORTRAIT_WIDTHS.map((width) => `${at(width)} ${width}w`).join(", "),
  };
}

type Counselors = Pick<Catalogue, "counselors">;

/** By present or former name, ignoring case and how many spaces stand in it. */
export function findCounselorByName({ counselors }: Counselors, name: string): Counselor | null {
  const plain = (text: string) => text.trim().normalize("NFC").replace(/\s+/gu, " ").toLowerCase();
  const wanted = plain(name);
  const has = (names: readonly string[]) => names.some((one) => plain(one) === wanted);
  return (
    counselors.find((one) => has([one.name])) ??
    counselors.find((one) => has(one.formerNames)) ??
    null
  );
}

export function findCounselorByKey({ counselors }: Counselors, key: string): Counselor | null {
  return counselors.find((counselor) => counselor.key === key) ?? null;
}

/** By the name or the key, as a link to the booking page says it. */
export function findCounselorAsked(catalogue: Counselors, asked: string): Counselor | null {
  return findCounselorByName(catalogue, asked) ?? findCounselorByKey(catalogue, asked);
}

/** Refusal: `not_found` for an unknown key. */
export function counselorKeyed(catalogue: Counselors, key: string): Outcome<Counselor> {
  const counselor = findCounselorByKey(catalogue, key);
  return counselor ? success(counselor) : failure("not_found", "There is no such captain.");
}

/** Refusal: `validation_failed` for an unknown name. */
export function counselorNamed(catalogue: Counselors, name: string): Outcome<Counselor> {
  const counselor = findCounselorByName(catalogue, name);
  return counselor ? success(counselor) : invalid({ counselor: ["Please select a captain"] });
}

export function findPackage(
  { packages }: Pick<Catalogue, "packages">,
  minutes: number,
): SessionPackage | null {
  return packages.find((sessionPackage) => sessionPackage.minutes === minutes) ?? null;
}

/** All totals in rupees, `30-1179 45-1533 60-1769`, which a form sends back to detect new prices. */
export function shownTotals(packages: Catalogue["packages"]): string {
  return packages
    .map(({ minutes, price }) => `${minutes}-${rupeesOf(priceOf(price).totalPaise)}`)
    .join(" ");
}

/** A package's total in rupees as the form showed it; NaN if it did not, undefined if it says none. */
export function shownTotalOf(form: FormData, minutes: number): number | undefined {
  const shown = String(form.get("shownTotal") ?? "").trim();
  if (shown === "") return undefined;
  const entry = shown.split(" ").find((one) => one.startsWith(`${minutes}-`));
  return Number(entry?.split("-")[1]);
}

export function bookable(catalogue: Catalogue, samplesAllowed: boolean): Catalogue {
  return {
    ...catalogue,
    counselors: catalogue.counselors.filter(
      ({ active, sample }) => active && (samplesAllowed || !sample),
    ),
    packages: catalogue.packages.filter(({ active }) => active),
  };
}
