import { expect, it } from "vitest";
import { isAllowedAddress, readAddress } from "./calendar-rules.ts";

it("takes https addresses without a port, and webcal as such", () => {
  const read = (text: string) => readAddress(text, false)?.href ?? null;
  expect(read(" webcal://Calendar.Example/a.ics ")).toBe("https://calendar.example/a.ics");
  expect(read("https://u:p@calendar.example:443/a.ics")).toBe("https://u:p@calendar.example/a.ics");
  for (const text of [
    ...["http://calendar.example/", "https://calendar.example:8443/", "file:///etc/passwd"],
    ...["calendar.example", "", "https://", `https://calendar.example/${"x".repeat(2_000)}`],
  ]) {
    expect(read(text)).toBeNull();
  }
});

it("takes no name of the machine itself, however it is spelled", () => {
  for (const host of [
    ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.localhost.", "ip6-localhost"],
    ...["ip6-loopback", "localhost.localdomain", "localhost6", "localhost6.localdomain6"],
    ...["calendar.example.", "loc%61lhost"],
  ]) {
    expect([host, readAddress(`https://${host}/x.ics`, false)]).toEqual([host, null]);
  }
  for (const host of ["localhost.example", "mylocalhost", "a.localhost.example"]) {
    expect(readAddress(`https://${host}/x.ics`, false)?.hostname).toBe(host);
  }
  expect(readAddress("http://localhost:4000/x.ics", true)?.hostname).toBe("localhost");
  expect(readAddress("http://localhost.:4000/x.ics", true)).toBeNull();
});

it("takes http and any port where the site itself is on loopback", () => {
  expect(readAddress("http://127.0.0.1:4000/a.ics", true)?.host).toBe("127.0.0.1:4000");
  expect(readAddress("ftp://127.0.0.1/", true)).toBeNull();
});

it("reaches the public Internet alone", () => {
  const open = ["8.8.8.8", "142.250.77.14", "2404:6800:4007:81a::200e", "2606:4700::1111"];
  for (const address of open)
    expect([address, isAllowedAddress(address, false)]).toEqual([address, true]);
  const closed = [
    ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"],
    ...["169.254.169.254", "100.64.0.1", "192.0.0.1", "198.18.0.1", "203.0.113.1", "224.0.0.1"],
    ...["255.255.255.255", "240.0.0.1", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1"],
    ...["::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::1"],
    ...["fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"],
    ...["100::1", "3fff::1", "4000::1", "localhost", "", "8.8.8.8:80"],
  ];
  for (const address of closed) {
    expect([address, isAllowedAddress(address, false)]).toEqual([address, false]);
  }
  const ofLoopbackSite = closed.filter((address) => isAllowedAddress(address, true));
  expect(ofLoopbackSite).toEqual(["127.0.0.1", "127.9.9.9", "::1"]);
});
