/** The address that a phone calls, whatever blanks and signs the number is written with. */
export function telLink(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}
