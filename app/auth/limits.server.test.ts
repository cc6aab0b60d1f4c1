import { expect, it } from "vitest";
import type { Env } from "#app/core/env.server.ts";
import { maySend } from "./reset-limits.server.ts";
import { countSignIn } from "./sign-in-limits.server.ts";

it("a crowd that asks for codes takes no room from a browser that has signed in before", () => {
  const deps = { env: { rateLimit: true } as Env, now: () => 0 };
  const ask = (emailKey: string, device = "") => maySend(deps, { emailKey, device });
  for (let i = 0; i < 120_000; i++) ask(`made up ${i}`);
  const late = Array.from({ length: 20 }, (_, i) => ask(`late ${i}`));
  expect(late).not.toContain(true);
  expect(ask("owner", "known device")).toBe(true);
});

it("a name is one name in every spelling, and another name another", () => {
  const deps = { env: { rateLimit: true } as Env, now: () => 0 };
  const tryAs = (username: string, address = "192.0.2.1") =>
    "ok" in countSignIn(deps, { username, address }) ? "refused" : "counted";
  for (const spelling of ["Nobody", "nobody", " NOBODY ", "nobody\t", "noBody"]) {
    expect(tryAs(spelling)).toBe("counted");
  }
  expect(tryAs("nobody")).toBe("refused");
  expect(tryAs("NoBody ")).toBe("refused");
  expect(tryAs("nobody", "192.0.2.2")).toBe("counted");
  expect(tryAs("somebody")).toBe("counted");
});
