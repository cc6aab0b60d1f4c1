import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/**
 * The client's address: from the one header that the configuration trusts, else from the socket.
 * With a list in the header (`x-forwarded-for`) the last entry is the one the proxy added.
 */
export function clientAddress(request: IncomingMessage, trustedHeader: string | null): string {
  const socket = unmap(request.socket.remoteAddress ?? "unknown");
  if (trustedHeader === null) return socket;
  const value = request.headers[trustedHeader];
  const text = (Array.isArray(value) ? value.at(-1) : value)?.split(",").at(-1)?.trim();
  return text ? unmap(text).slice(0, 64) : socket;
}

/** Limits count an IPv4 address, or the /64 that an IPv6 client usually owns. */
export function addressKey(address: string): string {
  return networksOf(address)[0]!;
}

/**
 * What `addressKey` counts, then the two networks it stands in: the /24 and /16 of IPv4, the /48
 * and /32 of IPv6. Any other text stands in no network.
 */
export function networksOf(address: string): string[] {
  if (!address.includes(":")) {
    const [a, b, c, d] = address.split(".");
    return d === undefined ? [address] : [address, `${a}.${b}.${c}.0/24`, `${a}.${b}.0.0/16`];
  }
  if (!ipaddr.IPv6.isValid(address)) return [address];
  const groups = ipaddr.IPv6.parse(address).parts.map((group) => group.toString(16));
  return [64, 48, 32].map((bits) => `${groups.slice(0, bits / 16).join(":")}::/${bits}`);
}

/** The network of an `addressKey`: the IPv4 address itself, or the /48 that one IPv6 customer may own. */
export function networkOf(key: string): string {
  return key.endsWith("::/64") ? `${key.split(":").slice(0, 3).join(":")}::/48` : key;
}

function unmap(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}
