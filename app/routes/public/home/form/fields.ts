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

/** After a time is chosen: the first of the entries that is still to be made, else the times. */
export function nextToFill(form: FormData): FieldName {
  return TYPED.find((field) => !form.get(field)) ?? "timeSlot";
}

export function focusNextToFill(form: FormData, offer: Offer): void {
  document.getElementById(targetOf(nextToFill(form), offer))?.focus();
}

export function focusFirstError(errors: Errors, offer: Offer): void {
  const target = errorLines(errors, offer)[0]?.target;
  if (target) document.getElementById(target)?.focus();
}
