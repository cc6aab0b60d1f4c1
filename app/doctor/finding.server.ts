/** Findings of the doctor: their types, the stored ones, which are new, and texts without secrets. */
import { z } from "zod";
import type { Env } from "#app/core/env.server.ts";
import { unescaped } from "#app/core/env-fields.ts";
import { outsideKeyHashes } from "#app/core/key-hashes.server.ts";
import type { PaymentProvider } from "#app/core/services.ts";
import { storedJson } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";
import { readSetting } from "#db/queries/settings.server.ts";

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
  now: number;
  provider: Pick<PaymentProvider, "listOrders">;
}

export type Examination = (examined: Examined) => Promise<Finding | Finding[]>;

export function about(subject: string) {
  return {
    fine: (says: string): Finding => ({ subject, level: "fine", says }),
    warning: (says: string, mend: string): Finding => ({ subject, level: "look", says, mend }),
    wrong: (says: string, mend: string): Finding => ({ subject, level: "wrong", says, mend }),
  };
}

export interface Answer extends Pick<Response, "ok" | "status" | "headers"> {
  text: string;
}

/** The whole answer; times out after 10 seconds. Does not follow redirects unless `init` says so. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(url, { redirect: "manual", signal, ...init });
  const { ok, status, headers } = response;
  return { ok, status, headers, text: await response.text() };
}

/** The part of an error that helps a person. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const { code } = error as { code?: string };
  return [code ?? cause?.code, cause?.message ?? error.message].filter(Boolean).join(": ");
}

export interface CheckResult {
  name: string;
  findings: Finding[];
  /** False for a check that threw or did not end in time: its previous findings still hold. */
  isWhole: boolean;
}

/** The subjects that each check last found wrong; without figures, whose changes are not reported. */
export type Known = Record<string, string[]>;

export const LAST_LOOK = "doctor";

const lastSchema = z.object({
  /** When the last finished run and the last started one took place. */
  at: z.number(),
  triedAt: z.number(),
  known: z.record(z.string(), z.array(z.string())),
  /** The keys that each of the two used, hashed by `outsideKeyHashes`. */
  askedWith: z.string().default(""),
  triedWith: z.string().default(""),
  /** The checks that did not complete in the last finished run. */
  unseen: z.array(z.string()).default([]),
});
const NEVER: z.output<typeof lastSchema> = lastSchema.parse({ at: 0, triedAt: 0, known: {} });

/** What the last scheduled run found wrong, by check; `at` is 0 before the first. */
export function readLastLook(db: Db) {
  return storedJson(LAST_LOOK, readSetting(db, LAST_LOOK), lastSchema, NEVER);
}

/** What the last run found wrong in these checks; null if one did not complete or used other keys. */
export function lastFindings({ db, env }: { db: Db; env: Env }, checks: readonly string[]) {
  const { at, known, askedWith, unseen } = readLastLook(db);
  if (!outsideKeyHashes(env).includes(askedWith)) return null;
  if (checks.some((check) => unseen.includes(check))) return null;
  return { at, wrong: checks.flatMap((check) => known[check] ?? []) };
}

/** The new faults; `isAllMended`: something was wrong before, and nothing is now. */
export function newlyWrong(before: Known, results: readonly CheckResult[]) {
  const known: Known = {};
  const findings: Finding[] = [];
  for (const { name, isWhole, findings: found } of results) {
    const old = before[name] ?? [];
    const wrong = found.filter(({ level }) => level === "wrong");
    const subjects = isWhole ? [...new Set(wrong.map(({ subject }) => subject))] : old;
    if (subjects.length > 0) known[name] = subjects;
    findings.push(...wrong.filter(({ subject }) => !old.includes(subject)));
  }
  const isAllMended = Object.keys(before).length > 0 && Object.keys(known).length === 0;
  return { known, findings, isAllMended };
}

/** The text without configured secrets, which another server's response may repeat. */
export function withoutSecrets(env: Env, words: string): string {
  const { razorpay, whatsapp, zoom, backup } = env;
  const { password } = URL.parse(env.smtpUrl) ?? { password: "" };
  const secrets = [
    ...env.sessionSecrets,
    razorpay.keySecret,
    ...razorpay.webhookSecrets,
    password,
    unescaped(password),
    env.firstAdmin?.password,
    env.metricsToken,
    whatsapp?.token,
    whatsapp?.appSecret,
    whatsapp?.verifyToken,
    zoom?.clientSecret,
    backup.offSite?.secretAccessKey,
    backup.offSite?.encryptionKey.toString("base64"),
  ];
  return secrets.reduce<string>(
    (left, secret) => (secret ? left.replaceAll(secret, "…") : left),
    words,
  );
}
