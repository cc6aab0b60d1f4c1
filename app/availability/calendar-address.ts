/** Which addresses a captain's calendar may have, and which places it may lead to. */
import ipaddr from "ipaddr.js";

/** The most that is stored. */
const LONGEST_ADDRESS = 2_000;
/** The only part of IPv6 that is given out for the Internet. */
const IPV6_INTERNET = ipaddr.parseCIDR("2000::/3");

const webcal = /^webcals?:/i;

/** Names of the machine itself, as its resolver may know them. */
const OWN_NAME = /^(ip6-)?(localhost|loopback)[46]?(\.localdomain[46]?)?$|\.localhost$/;

/**
 * The address as it is fetched: https, the standard port, and a host that is not this machine; on a
 * loopback site also http, any port, and this machine. Null for anything else.
 */
export function readAddress(text: string, isLoopbackSite: boolean): URL | null {
  if (text.length > LONGEST_ADDRESS) return null;
  const url = URL.parse(text.trim().replace(webcal, "https:"));
  return url && mayBeAsked(url, isLoopbackSite) ? url : null;
}

export function mayBeAsked({ protocol, port, hostname }: URL, isLoopbackSite: boolean): boolean {
  // With a full stop at its end a name means the same and is spelled otherwise.
  if (hostname === "" || hostname.endsWith(".")) return false;
  if (isLoopbackSite) return protocol === "https:" || protocol === "http:";
  return protocol === "https:" && port === "" && !OWN_NAME.test(hostname);
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
