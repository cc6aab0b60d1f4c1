/** The form's fields in the order of the page, the element that each one focuses, and their texts. */
import type { Terms } from "#app/model/appointment.ts";
import { formatSlot, instantOf } from "#app/model/dates.ts";
import type { Offer } from "#app/routes/public/home/home-view.server.ts";
import { type Errors, problemLines } from "#app/routes/public/parts/form-problem.tsx";

export const SESSION = ["counselor", "package", "date", "timeSlot"] as const;
const PERSON = ["name", "email", "phone"] as const;
const CHOSEN = [...SESSION, ...PERSON] as const;
const WHO_COMES = ["forWhom", "studentName"] as const;
export const SHOWN = [...CHOSEN, ...WHO_COMES] as const;
/** Read from the form at each input; date and time are set by their own controls. */
export const TYPED = ["counselor", "package", ...PERSON, ...WHO_COMES] as const;
const BILLING = ["gstin", "billingName", "billingAddress", "country"] as const;
const STUDENT = ["forWhom", "studentName", "underEighteen", "relation"] as const;
const ALL = [...CHOSEN, ...STUDENT, "state", "notes", ...BILLING] as const;

type FieldName = (typeof ALL)[number];

/** Values of the form; the package is its minutes as text. */
export type BookingFields = Record<FieldName, string>;

/** The entries that the page shows while the form is filled in. */
export type Choice = Record<(typeof SHOWN)[number], string>;

export function choiceOf(values: Record<string, unknown> | null | undefined): Choice {
  const texts = SHOWN.map((field) => [field, String(values?.[field] ?? "")]);
  return Object.fromEntries(texts);
}

function targetOf(field: FieldName, offer: Offer): string {
  if (field === "counselor") return `booking-counselor-${offer.counselors[0]?.key}`;
  if (field === "package") return `booking-package-${offer.packages[0]?.minutes}`;
  if (field === "timeSlot") return "booking-time";
  return `booking-${field}`;
}

/** A line for each field with an error, in the order of the page. */
export function errorLines(errors: Errors, offer: Offer) {
  return problemLines(errors, Object.fromEntries(ALL.map((name) => [name, targetOf(name, offer)])));
}

export function focusField(field: FieldName, offer: Offer): void {
  document.getElementById(targetOf(field, offer))?.focus();
}

/** The length to choose with a free time; the one chosen before stays if it fits. Minutes as text. */
export function lengthWith(longest: number | undefined, chosen: string): string {
  const fits = longest === undefined || (chosen !== "" && Number(chosen) <= longest);
  return fits ? chosen : String(longest);
}

/** How the page asks for each field. */
const ASKED_FOR: Readonly<Record<(typeof CHOSEN)[number], string>> = {
  counselor: "the captain",
  package: "the length of the session",
  date: "the day",
  timeSlot: "the time",
  name: "your name",
  email: "your email",
  phone: "your phone number",
};

export type NextStep = NonNullable<ReturnType<typeof nextStep>>;

/** The first empty field, and the sentence that leads there; null if none is empty. */
export function nextStep(choice: Choice, chosen: string) {
  const field = CHOSEN.find((name) => choice[name].trim() === "");
  return field ? { field, text: `${chosen} is chosen. Next: ${ASKED_FOR[field]}.` } : null;
}

/** Said of a chosen time that no longer fits the captain or the length. */
export function timeLostWords(timeSlot: string): string {
  return `${formatSlot(timeSlot)} is not free for this captain and length. Please choose another time.`;
}

/** The terms for changing the chosen time; null until one is chosen. */
export function termsOf(
  { date, timeSlot }: Choice,
  now: number,
  cutoffHours: number,
): Terms | null {
  if (!date || !timeSlot) return null;
  return { startsAt: instantOf(date, timeSlot), now, cutoffHours };
}

/** Domains that a mistyped address probably means. */
const PROVIDERS = [
  "gmail.com",
  "yahoo.com",
  "yahoo.co.in",
  "hotmail.com",
  "outlook.com",
  "icloud.com",
  "rediffmail.com",
];

/** Includes real domains that differ from another one by a single typing error. */
const KNOWN_DOMAINS = [...PROVIDERS, "mail.com", "ymail.com", "email.com"];

/** The address that was probably meant; null if it looks right. A hint, never a reason to refuse. */
export function likelyEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || domain.length < 5 || KNOWN_DOMAINS.includes(domain)) return null;
  const meant = PROVIDERS.find((provider) => isOneTypo(domain, provider));
  return meant ? `${email.slice(0, at)}@${meant}` : null;
}

/** True for one character more, one less, a different one, or two swapped neighbours. */
function isOneTypo(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false;
  let i = 0;
  while (i < typed.length && typed[i] === meant[i]) i++;
  const typedRest = typed.slice(i);
  const meantRest = meant.slice(i);
  return (
    typedRest.slice(1) === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    (typedRest[0] === meantRest[1] &&
      typedRest[1] === meantRest[0] &&
      typedRest.slice(2) === meantRest.slice(2))
  );
}

export function focusTimes(): void {
  document.getElementById("booking-time")?.focus();
}

/** Chooses a radio button as a click does. */
export function clickRadio(id: string): void {
  const radio = document.getElementById(id);
  if (radio instanceof HTMLInputElement && !radio.checked) radio.click();
}
