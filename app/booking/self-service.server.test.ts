import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { refuseStranger } from "./self-service.server.ts";

const BOOKING = { id: "abcdefghijkmnpqrstuvwxyz23", contact: { email: "asha@example.in" } };
const OWNER = "203.0.113.7";

const freshDeps = () => ({ env: parseEnv({ RATE_LIMIT: "on" }).env, now: () => 1_000_000 });

async function tries(deps: ReturnType<typeof freshDeps>, addresses: readonly string[]) {
  const refusals = addresses.map((clientAddress, i) =>
    refuseStranger(deps, BOOKING, { email: `guess${i}@example.in`, clientAddress }),
  );
  return (await Promise.all(refusals)).map((refusal) => refusal?.code);
}

const times = (n: number, address: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => address(i));

it("wrong e-mail addresses close a booking where they come from, never for its owner", async () => {
  const deps = freshDeps();
  const owner = (clientAddress = OWNER) =>
    refuseStranger(deps, BOOKING, { email: " Asha@example.in", clientAddress });
  // From 500 networks, more than a limit per booking would allow.
  const codes = await tries(
    deps,
    times(500, (i) => `198.${i >> 8}.${i & 255}.1`),
  );
  expect(new Set(codes)).toEqual(new Set(["validation_failed"]));
  expect(await owner()).toBeNull();
  // From one address, one small network, and many addresses of one IPv6 customer.
  for (const [address, right] of [
    [() => "192.0.2.1", 5],
    [(i: number) => `192.0.3.${i}`, 20],
    [(i: number) => `2001:db8:7:${i.toString(16)}::1`, 20],
  ] as const) {
    const answers = await tries(deps, times(60, address));
    expect(answers.filter((code) => code === "validation_failed")).toHaveLength(right);
    expect(answers.at(-1)).toBe("rate_limited");
    // The right address is refused there too, or it could be guessed.
    expect(await owner(address(61))).toMatchObject({ code: "rate_limited" });
  }
  expect(await owner()).toBeNull();
});

it("wrong e-mail addresses are forgiven after a quarter of an hour, to the moment", async () => {
  let now = 1_000_000;
  const deps = { ...freshDeps(), now: () => now };
  await tries(
    deps,
    times(5, () => OWNER),
  );
  const owner = { email: BOOKING.contact.email, clientAddress: OWNER };
  now += 15 * 60_000 - 1;
  expect(refuseStranger(deps, BOOKING, owner)).toMatchObject({ code: "rate_limited" });
  now += 1;
  expect(refuseStranger(deps, BOOKING, owner)).toBeNull();
});

it("a booking whose address is erased is nobody's", () => {
  const erased = { ...BOOKING, contact: { email: "" } };
  const none = { email: " ", clientAddress: OWNER };
  expect(refuseStranger(freshDeps(), erased, none)).toMatchObject({ code: "validation_failed" });
});

it("a right e-mail address forgives the wrong ones before it", async () => {
  const deps = freshDeps();
  for (let i = 0; i < 10; i++) {
    expect(await tries(deps, [OWNER, OWNER])).toEqual(["validation_failed", "validation_failed"]);
    const right = { email: BOOKING.contact.email, clientAddress: OWNER };
    expect(await refuseStranger(deps, BOOKING, right)).toBeNull();
  }
});

it("a right e-mail address counts for nothing in a crowd either, where counts are shared", async () => {
  const deps = freshDeps();
  for (let i = 0; i < 10_000; i++) {
    const other = { ...BOOKING, id: `booking ${i}` };
    refuseStranger(deps, other, { email: "guess@example.in", clientAddress: `198.51.${i >> 8}.1` });
  }
  const right = { email: BOOKING.contact.email, clientAddress: OWNER };
  const refusals = times(10, () => OWNER).map(() => refuseStranger(deps, BOOKING, right));
  expect(refusals).toEqual(refusals.map(() => null));
});

it("a network has twenty wrong e-mail addresses a day, however patiently they come", async () => {
  let now = 1_000_000;
  const deps = { env: parseEnv({ RATE_LIMIT: "on" }).env, now: () => now };
  const codes: unknown[] = [];
  for (let quarter = 0; quarter < 8; quarter++) {
    codes.push(
      ...(await tries(
        deps,
        times(4, (i) => `192.0.2.${i}`),
      )),
    );
    now += 15 * 60_000;
  }
  expect(codes.slice(0, 20).every((code) => code === "validation_failed")).toBe(true);
  expect(codes.slice(20).every((code) => code === "rate_limited")).toBe(true);
  // Other bookings and days are counted separately.
  const other = { ...BOOKING, id: "abcdefghijkmnpqrstuvwxyz24" };
  const guess = { email: "guess@example.in", clientAddress: "192.0.2.9" };
  expect(refuseStranger(deps, other, guess)).toMatchObject({ code: "validation_failed" });
  now += 24 * 3_600_000;
  expect(refuseStranger(deps, BOOKING, guess)).toMatchObject({ code: "validation_failed" });
});
