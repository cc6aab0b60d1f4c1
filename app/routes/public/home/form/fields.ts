/** The form's fields in the order of the page, and where each one takes focus. */
import type { ErrorLine } from "#app/components/error-summary.tsx";
import type { Offer } from "#app/routes/public/parts/offer.ts";

export type BookingFields = {
  name: string;
  email: string;
  phone: string;
  counselor: string;
  package: string;
  date: string;
  timeSlot: string;
  state: string;
  notes: string;
};

const ORDER = [
  "name",
  "email",
  "phone",
  "counselor",
  "package",
  "date",
  "timeSlot",
  "state",
  "notes",
] as const satisfies readonly (keyof BookingFields)[];

type FieldName = (typeof ORDER)[number];
type Errors = Record<string, string[] | null>;

function targetOf(field: FieldName, offer: Offer): string {
  if (field === "counselor") return `booking-counselor-${offer.counselors[0]?.key}`;
  if (field === "package") return `booking-package-${offer.packages[0]?.minutes}`;
  if (field === "timeSlot") return "booking-time";
  return `booking-${field}`;
}

/** One line an error, in the order of the page. */
export function errorLines(errors: Errors, offer: Offer): (ErrorLine & { field: FieldName })[] {
  return ORDER.flatMap((field) => {
    const text = errors[field]?.[0];
    return text ? [{ field, target: targetOf(field, offer), text }] : [];
  });
}

export function focusFirstError(errors: Errors, offer: Offer): void {
  const target = errorLines(errors, offer)[0]?.target;
  if (target) document.getElementById(target)?.focus();
}
