import type { IncomingMessage } from "node:http";

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

/** IPv6 clients own a /64 as a rule, so limits count that; IPv4 addresses count whole. */
export function addressKey(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const rest = tail === "" ? [] : tail.split(":");
    while (groups.length + rest.length < 8) groups.push("0");
    groups.push(...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

function unmap(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}
