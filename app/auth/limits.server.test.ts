import { expect, it } from "vitest";
import type { Env } from "#app/core/env.server.ts";
import { maySend } from "./limits.server.ts";

it("a crowd that asks for codes takes no room from a browser that has signed in before", () => {
  const deps = { env: { rateLimit: true } as Env, now: () => 0 };
  const ask = (emailKey: string, device = "") => maySend(deps, { emailKey, device });
  for (let i = 0; i < 120_000; i++) ask(`made up ${i}`);
  const late = Array.from({ length: 20 }, (_, i) => ask(`late ${i}`));
  expect(late).not.toContain(true);
  expect(ask("owner", "known device")).toBe(true);
});
