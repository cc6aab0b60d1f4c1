/** The form's fields in the order of the page, and where each one takes focus. */
import type { ErrorLine } from "#app/components/error-summary.tsx";
import type { Offer } from "#app/routes/public/parts/offer.ts";

/** Read from the form at each input; date and time are set by their own controls. */
export const TYPED = ["name", "email", "phone", "counselor", "package"] as const;
export const CHOSEN = [...TYPED, "date", "timeSlot"] as const;
const ALL = [...CHOSEN, "state", "notes", "gstin", "billingName", "billingAddress"] as const;

type FieldName = (typeof ALL)[number];

/** As text, the package as its minutes. */
export type BookingFields = Record<FieldName, string>;

/** The part that the page shows while the form is filled in. */
export type Choice = Record<(typeof CHOSEN)[number], string>;

export function choiceOf(values: Record<string, unknown> | null | undefined): Choice {
  const texts = CHOSEN.map((field) => [field, String(values?.[field] ?? "")]);
  return Object.fromEntries(texts);
}

type Errors = Record<string, string[] | null>;

function targetOf(field: FieldName, offer: Offer): string {
  if (field === "counselor") return `booking-counselor-${offer.counselors[0]?.key}`;
  if (field === "package") return `booking-package-${offer.packages[0]?.minutes}`;
  if (field === "timeSlot") return "booking-time";
  return `booking-${field}`;
}

/** One line an error, in the order of the page. */
export function errorLines(errors: Errors, offer: Offer): (ErrorLine & { field: FieldName })[] {
  return ALL.flatMap((field) => {
    const text = errors[field]?.[0];
    return text ? [{ field, target: targetOf(field, offer), text }] : [];
  });
}

export function focusField(field: FieldName, offer: Offer): void {
  document.getElementById(targetOf(field, offer))?.focus();
}

/** In the order of the page. */
const STEPS: readonly (readonly [keyof Choice, string])[] = [
  ["name", "your name"],
  ["email", "your email"],
  ["phone", "your phone number"],
  ["counselor", "the captain"],
  ["package", "the length of the session"],
  ["date", "the day"],
  ["timeSlot", "the time"],
];

/** The first field that a choice leaves empty, and the sentence that leads there; null if none. */
export function nextStep(choice: Choice, chosen: string): NextStep | null {
  const step = STEPS.find(([field]) => choice[field].trim() === "");
  return step ? { field: step[0], text: `${chosen} is chosen. Next: ${step[1]}.` } : null;
}

export interface NextStep {
  field: keyof Choice;
  text: string;
}
