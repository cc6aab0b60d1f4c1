/** A `tel:` address, without blanks and signs in the number. */
export function telLink(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}
