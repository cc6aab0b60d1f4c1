import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** E.164 with India as the default country, or the text as typed if it is not a known number. */
export function normalisePhone(typed: string): string {
  const phone = parsePhoneNumberFromString(typed, "IN");
  return phone?.isValid() ? phone.number : typed.trim();
}

/** Grouped, with the country code: +91 98765 43210. */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, "IN")?.formatInternational() ?? phone;
}
