import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** E.164 with India as the default country, or the text as typed when it is no known number. */
export function normalisePhone(typed: string): string {
  const phone = parsePhoneNumberFromString(typed, "IN");
  return phone?.isValid() ? phone.number : typed.trim();
}

/** In groups as people read it, with the country's code: +91 98765 43210. */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, "IN")?.formatInternational() ?? phone;
}
