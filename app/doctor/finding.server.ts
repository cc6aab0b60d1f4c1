/** What an examination is given, and what it finds. */
import type { Env } from "#app/core/env.server.ts";
import type { PaymentProvider } from "#app/core/services.ts";

export interface Finding {
  subject: string;
  /** `look`: it runs, but the owner should know. `wrong`: something does not work, or soon will not. */
  level: "fine" | "look" | "wrong";
  says: string;
  /** How to fix it. */
  mend?: string;
}

export interface Examined {
  env: Env;
  /** What the environment was parsed from. */
  source: Record<string, string | undefined>;
  /** Milliseconds UTC. */
  now: number;
  provider: Pick<PaymentProvider, "listOrders">;
}

export type Examination = (examined: Examined) => Promise<Finding[]>;

export const fine = (subject: string, says: string): Finding => ({ subject, level: "fine", says });
export const look = (subject: string, says: string, mend: string): Finding => ({
  subject,
  level: "look",
  says,
  mend,
});
export const wrong = (subject: string, says: string, mend: string): Finding => ({
  subject,
  level: "wrong",
  says,
  mend,
});

/** A redirect is an answer, unless `init` says otherwise. */
export const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000), ...init });

/** The part of a fault that a person can do something with. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const { code } = error as { code?: string };
  return [code ?? cause?.code, cause?.message ?? error.message].filter(Boolean).join(": ");
}
