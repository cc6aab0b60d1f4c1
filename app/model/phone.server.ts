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
  // Of zeros alone, seven stay.
  const national = digits.length > 10 ? digits.replace(/^0+(?=\d{7})/, "") : digits;
  // No country's code begins with 0: then the number is India's.
  const hasPlus = typed.trim().startsWith("+") && !digits.startsWith("0");
  const hasCountry = hasPlus || national.length > 10;
  return hasCountry ? `+${national}` : `+91${national}`;
}

/** Grouped, with the country code: +91 98765 43210. */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, "IN")?.formatInternational() ?? phone;
}

/**
 * Where WhatsApp's id of a sender may have another digit than the number as it is dialled: a prefix of
 * mobiles in Mexico and in Argentina; in Brazil the ninth digit of mobiles that are older than it,
 * which began with 6 to 9. What begins with less is a landline, or a newer mobile with one form.
 */
const EXTRA_DIGIT = [
  { pattern: /^(\+52)1?(\d{10})$/, digit: "1" },
  { pattern: /^(\+54)9?(\d{10})$/, digit: "9" },
  { pattern: /^(\+55\d\d)9?([6-9]\d{7})$/, digit: "9" },
];

/** Each form in which WhatsApp may name a number in E.164. */
export function whatsAppForms(phone: string): string[] {
  for (const { pattern, digit } of EXTRA_DIGIT) {
    const [, before, rest] = pattern.exec(phone) ?? [];
    if (before) return [`${before}${rest}`, `${before}${digit}${rest}`];
  }
  return [phone];
}
