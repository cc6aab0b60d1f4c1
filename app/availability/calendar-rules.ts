/** URLs and IP addresses from which a captain's calendar may be read, and why a read failed. */
import ipaddr from "ipaddr.js";
import { wording } from "#app/model/unknown-code.ts";

const LONGEST_ADDRESS = 2_000;
/** The only part of IPv6 that is assigned to the public Internet. */
const IPV6_INTERNET = ipaddr.parseCIDR("2000::/3");

const webcal = /^webcals?:/i;

/** Names of the machine itself. */
const OWN_NAME = /^(ip6-)?(localhost|loopback)[46]?(\.localdomain[46]?)?$|\.localhost$/;

/**
 * The address to fetch: https on the standard port, and not this machine; on a loopback site also
 * http, any port, and this machine. Null for anything else.
 */
export function readAddress(text: string, isLoopbackSite: boolean): URL | null {
  if (text.length > LONGEST_ADDRESS) return null;
  const url = URL.parse(text.trim().replace(webcal, "https:"));
  return url && isAllowedUrl(url, isLoopbackSite) ? url : null;
}

export function isAllowedUrl({ protocol, port, hostname }: URL, isLoopbackSite: boolean): boolean {
  // A trailing full stop spells the same host differently.
  if (hostname === "" || hostname.endsWith(".")) return false;
  if (isLoopbackSite) return protocol === "https:" || protocol === "http:";
  return protocol === "https:" && port === "" && !OWN_NAME.test(hostname);
}

/** Whether an IP address is on the public Internet, or is loopback for a loopback site. */
export function isAllowedAddress(address: string, isLoopbackSite: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return isLoopbackSite;
  if (range !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(IPV6_INTERNET);
}

const WORDS = {
  inside: "The address leads to a place that is not public. Please give another one.",
  unreachable: "The calendar's server cannot be reached. We try again every 15 minutes.",
  slow: "The calendar's server took longer than 10 seconds. We try again every 15 minutes.",
  redirects: "The address leads on too often. Please give the one it ends at.",
  refused:
    "The calendar's server asks for a sign-in. Please copy the calendar's private (secret) address.",
  gone: "There is no calendar at this address any more. Please copy its private address anew.",
  answer: "The calendar's server answered with an error. We try again every 15 minutes.",
  packed: "The calendar comes compressed, which is not read here. Please give another address.",
  too_large: "The calendar is larger than 2 MB. Please give one with fewer old entries.",
  not_calendar: "What is at this address is no calendar that can be read (iCalendar, .ics).",
  zone: "The calendar names a time zone that it does not describe. Please export it anew.",
  too_many: "The calendar has more than 10,000 times in a year. Please give one with fewer.",
  too_much: "The calendar takes too long to work out. Please give one with fewer repeated entries.",
  sealed: "The stored address cannot be opened any more. Please enter it again.",
} as const;

export type CalendarErrorCode = keyof typeof WORDS;

export const calendarErrorWords = wording(WORDS);

/** Why a read failed; it names no address. */
export class CalendarError extends Error {
  override name = "CalendarError";
  readonly code: CalendarErrorCode;

  constructor(code: CalendarErrorCode) {
    super(code);
    this.code = code;
  }
}
