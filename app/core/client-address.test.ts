import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { addressKey, clientAddress, networkOf, networksOf } from "./client-address.ts";

const asked = (headers: Record<string, string | string[]>, remoteAddress = "192.0.2.1") =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

const FORGED = {
  "x-forwarded-for": "203.0.113.1",
  "x-real-ip": "203.0.113.2",
  forwarded: "for=203.0.113.3",
  "fly-client-ip": "203.0.113.4",
  "cf-connecting-ip": "203.0.113.5",
};

describe("the client's address", () => {
  it("is the socket's, whatever headers say, unless one is trusted", () => {
    expect(clientAddress(asked(FORGED), null)).toBe("192.0.2.1");
    expect(clientAddress(asked(FORGED, "::ffff:192.0.2.9"), null)).toBe("192.0.2.9");
  });

  it("is what the trusted header says, and no other one", () => {
    expect(clientAddress(asked(FORGED), "fly-client-ip")).toBe("203.0.113.4");
    const { "fly-client-ip": _, ...others } = FORGED;
    expect(clientAddress(asked(others), "fly-client-ip")).toBe("192.0.2.1");
  });

  it("is the entry that the proxy added, behind those a client sent", () => {
    const list = asked({ "x-forwarded-for": "10.0.0.1, 203.0.113.1 , 198.51.100.7" });
    expect(clientAddress(list, "x-forwarded-for")).toBe("198.51.100.7");
  });

  it("counts an IPv6 network as one, in every spelling", () => {
    const keys = ["2001:db8:7:7::1", "2001:DB8:0007:7:ffff::", "2001:db8:7:7:1:2:3:4"];
    expect(new Set(keys.map(addressKey))).toEqual(new Set(["2001:db8:7:7::/64"]));
    expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
  });

  it("counts a short IPv6 address as it counts the long one", () => {
    for (const [spelling, network] of [
      ["::1", "0:0:0:0::/64"],
      ["2001:DB8::0:5", "2001:db8:0:0::/64"],
      ["2001:0db8:0:7::", "2001:db8:0:7::/64"],
      ["1::8", "1:0:0:0::/64"],
      ["unknown:", "unknown:"],
    ] as const) {
      expect(addressKey(spelling), spelling).toBe(network);
    }
  });

  it("knows the addresses of one customer's IPv6 network, and of no other", () => {
    const own = ["2001:db8:7::1", "2001:DB8:0007:ffff::", "2001:db8:7:1:2:3:4:5"];
    const networks = (addresses: string[]) => new Set(addresses.map(addressKey).map(networkOf));
    expect(networks(own)).toEqual(new Set(["2001:db8:7::/48"]));
    expect(networks(["2001:db8:70::1", "2001:db8::7:0:0:1", "::1", "192.0.2.1"])).toEqual(
      new Set(["2001:db8:70::/48", "2001:db8:0::/48", "0:0:0::/48", "192.0.2.1"]),
    );
  });

  it("stands in a small and a large network, if it is one", () => {
    expect(networksOf("192.0.2.1")).toEqual(["192.0.2.1", "192.0.2.0/24", "192.0.0.0/16"]);
    expect(networksOf("2001:0db8:7:7::1")).toEqual([
      "2001:db8:7:7::/64",
      "2001:db8:7::/48",
      "2001:db8::/32",
    ]);
    expect(networksOf("::1")).toEqual(["0:0:0:0::/64", "0:0:0::/48", "0:0::/32"]);
    expect(networksOf("unknown")).toEqual(["unknown"]);
  });
});
