/** The first steps of a new owner, and which of them are done. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { DEFAULT_TIMES, PACKAGES } from "#app/catalogue.ts";
import { change } from "#app/core/change.server.ts";
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { isLoopbackSite } from "#app/core/env-fields.ts";
import { providerKeyHashes } from "#app/core/key-hashes.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { SessionPackage } from "#app/model/catalogue.ts";
import { DAY } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAdminByUsername, listAccounts } from "#db/queries/admins.server.ts";
import { findLastEventAt, readSetUp } from "#db/queries/health.server.ts";
import {
  ORDER_KEYS,
  readSavedSettings,
  readSetting,
  writeSetting,
} from "#db/queries/settings.server.ts";
import { lastFindings } from "./finding.server.ts";

/** Steps that only the owner can confirm. */
export const CONFIRMED = ["business", "prices", "hours"] as const;

const OPTIONAL = "whatsapp";
const KEY = "first_steps";

const notedSchema = z.object({ confirmed: z.array(z.string()), putAway: z.boolean() });
const NOTHING = { confirmed: [], putAway: false };

function readNoted(db: Db) {
  return storedJson(KEY, readSetting(db, KEY), notedSchema, NOTHING);
}

type StepDeps = Pick<Deps, "db" | "env">;

export interface FirstStep {
  name: string;
  isDone: boolean;
}

/** Null once every required step is done, or the list was dismissed. */
export function readFirstSteps(deps: StepDeps): FirstStep[] | null {
  const { confirmed, putAway } = readNoted(deps.db);
  if (putAway) return null;
  const done = stepsDone(deps);
  const steps = Object.entries(done).map(([name, isDone]) => ({
    name,
    isDone: isDone || confirmed.includes(name),
  }));
  return steps.every(({ name, isDone }) => isDone || name === OPTIONAL) ? null : steps;
}

function stepsDone({ db, env }: StepDeps) {
  const { counselors, packages, defaultTimes } = readCatalogue(db);
  const { hasHours, hasPayment, hasTestMail } = readSetUp(db);
  const { saved } = readSavedSettings(db);
  const look = lastFindings({ db, env }, ["keys"]);
  const hasOrder = providerKeyHashes(env).includes(readSetting(db, ORDER_KEYS) ?? "");
  const isStart = ({ minutes, price, label, description }: SessionPackage) =>
    PACKAGES.some((start) => isDeepStrictEqual(start, { minutes, price, label, description }));
  const isLiveKey = env.razorpay.keyId.startsWith("rzp_live_");
  const isPublic = env.publicUrl.startsWith("https:") && !isLoopbackSite(env);
  const hasSample = counselors.some(({ active, sample }) => active && sample);
  return {
    business: Object.keys(saved).some((field) => field.startsWith("business")),
    captain: counselors.some(({ active, sample, portrait }) => active && !sample && portrait),
    prices: !packages.every(isStart),
    hours: hasHours || defaultTimes.join() !== DEFAULT_TIMES.join(),
    invitation: listAccounts(db).filter(({ inactiveSince }) => inactiveSince === null).length > 1,
    // The current keys work, as the doctor found or an order shows, and the webhook was called.
    provider: (look ? look.wrong.length === 0 : hasOrder) && findLastEventAt(db) !== null,
    mail: hasTestMail,
    whatsapp: env.whatsapp !== null,
    copies: env.backup.offSite !== null && readSetting(db, "last_off_site") !== null,
    testBooking: hasPayment,
    live: isLiveKey && isPublic && !env.sampleDocuments && !hasSample,
  } satisfies Record<string, unknown> as Record<string, boolean>;
}

type ChangeDeps = Pick<Deps, "db" | "env" | "now" | "wake">;

/** Marks a step as done because the owner says so. */
export function confirmFirstStep(deps: ChangeDeps, actor: Actor, step: string): Outcome<string> {
  return change(deps, actor, ({ tx, log }) => {
    const noted = readNoted(tx);
    const confirmed = [...new Set([...noted.confirmed, step])];
    writeSetting(tx, KEY, JSON.stringify({ ...noted, confirmed }));
    log("first_step", "settings", { after: { step } });
    return success(step);
  });
}

export function hideFirstSteps(deps: ChangeDeps, actor: Actor, hide: boolean): Outcome<boolean> {
  return change(deps, actor, ({ tx, log }) => {
    writeSetting(tx, KEY, JSON.stringify({ ...readNoted(tx), putAway: hide }));
    log("first_step", "settings", { after: { shown: !hide } });
    return success(hide);
  });
}

const counters = countersByEnv({ testMails: { points: 20, windowMs: DAY } });

/** Sends it to the account's own address, and returns that address. Refusal: `rate_limited`. */
export function sendTestMail(deps: ChangeDeps, actor: Actor & { kind: "admin" }): Outcome<string> {
  const words = "You have sent 20 test mails today. Please go on tomorrow.";
  const tooMany = takeOne(deps, counters(deps.env).testMails, { about: actor.username }, words);
  if (tooMany) return tooMany;
  return change(deps, actor, ({ tx, now }) => {
    const { email } = findAdminByUsername(tx, actor.username)!;
    queueMessages(tx, deps.env, now, { type: "test_mail", requestId: newId(), email });
    return success(email);
  });
}
