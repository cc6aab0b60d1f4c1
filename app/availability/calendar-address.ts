/** Which addresses a captain's calendar may have, and which places it may lead to. */
import ipaddr from "ipaddr.js";

/** The most that is stored. */
const LONGEST_ADDRESS = 2_000;
/** The only part of IPv6 that is given out for the Internet. */
const IPV6_INTERNET = ipaddr.parseCIDR("2000::/3");

const webcal = /^webcals?:/i;

/**
 * The address as it is fetched: https and the standard port; on a loopback site also http and any
 * port. Null for anything else.
 */
export function readAddress(text: string, isLoopbackSite: boolean): URL | null {
  if (text.length > LONGEST_ADDRESS) return null;
  const url = URL.parse(text.trim().replace(webcal, "https:"));
  return url && mayBeAsked(url, isLoopbackSite) ? url : null;
}

export function mayBeAsked({ protocol, port, hostname }: URL, isLoopbackSite: boolean): boolean {
  if (hostname === "") return false;
  if (isLoopbackSite) return protocol === "https:" || protocol === "http:";
  return protocol === "https:" && port === "";
}

/** Whether an IP address is on the public Internet, or is loopback for a loopback site. */
export function mayBeReached(address: string, isLoopbackSite: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return isLoopbackSite;
  if (range !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(IPV6_INTERNET);
}
