import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * E.164, with India as the default country; up to ten digits of no known plan are India's too. A text
 * without digits stays.
 */
export function normalisePhone(typed: string): string {
  const phone = parsePhoneNumberFromString(typed, "IN");
  if (phone?.isValid()) return phone.number;
  const digits = typed.replace(/\D/g, "");
  if (digits === "") return typed.trim();
  const national = digits.length > 10 ? digits.replace(/^00?/, "") : digits;
  // No country's code begins with 0: then the number is India's.
  const hasPlus = typed.trim().startsWith("+") && !digits.startsWith("0");
  const hasCountry = hasPlus || national.length > 10;
  return hasCountry ? `+${national}` : `+91${national}`;
}

/** Grouped, with the country code: +91 98765 43210. */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, "IN")?.formatInternational() ?? phone;
}
