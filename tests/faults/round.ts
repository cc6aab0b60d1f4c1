/** One round: a fresh world, many histories at once under faults and kills, then the audit. */
import { openDb } from "#db/connection.server.ts";
import { openAdminDesk } from "./admin-desk.ts";
import { type Caller, callerOf } from "./caller.ts";
import { actHistory } from "./customer.ts";
import { Diary } from "./diary.ts";
import { Dice } from "./dice.ts";
import { auditDocuments } from "./document-audit.ts";
import { type Evidence, gatherEvidence, type Violation } from "./evidence.ts";
import { beginJournal } from "./journal.ts";
import { auditMessages } from "./message-audit.ts";
import { auditMoney } from "./money-audit.ts";
import { planOutages, runOutages } from "./outages.ts";
import { planHistory } from "./plan.ts";
import { settle } from "./settlement.ts";
import { moveTimes, type Stage, type Trail } from "./stage.ts";
import { auditTimes } from "./time-audit.ts";
import { planWeather, runWeather } from "./weather.ts";
import { openWorld, type World } from "./world.ts";

/** How long the storm lasts, in milliseconds; the histories begin in its first part. */
const STORM_MS = 7_000;
const LONGEST_END_MS = 10_000;
/** Far beyond what a slow machine needs. */
const LONGEST_ROUND_MS = 400_000;

export interface RoundResult {
  seed: number;
  /** What was counted, by name. */
  figures: Record<string, number>;
  violations: Violation[];
  /** The lines of the trace that belong to a violation. */
  traceOf(violation: Violation): string[];
}

/** Throws, with the end of the trace, if a round does not come to its end at all. */
export async function runRound(
  seed: number,
  histories: number,
  kills: number,
): Promise<RoundResult> {
  const diary = new Diary();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const lines = diary.entries
        .slice(-40)
        .map(({ at, who, text }) => `${at} ms  ${who}: ${text}`);
      reject(new Error(`seed ${seed} is stuck:\n${lines.join("\n")}`));
    }, LONGEST_ROUND_MS);
  });
  try {
    return await Promise.race([playRound(diary, seed, histories, kills), limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function playRound(
  diary: Diary,
  seed: number,
  histories: number,
  kills: number,
): Promise<RoundResult> {
  const dice = new Dice(seed);
  const plan = {
    histories: Array.from({ length: histories }, (_, i) => planHistory(dice, seed, i + 1)),
    weather: planWeather(dice, STORM_MS),
    outages: planOutages(dice, kills),
  };
  const world = await openWorld(diary, seed);
  try {
    beginJournal(world.databasePath);
    const caller = callerOf(world);
    const desk = await openAdminDesk(caller);
    const stage: Stage = { world, caller, desk, proofs: [], nextMove: moveTimes() };
    const calm = runWeather(plan.weather, world.sandbox.switches, (text) =>
      diary.note("weather", text),
    );
    const [trails] = await Promise.all([
      Promise.all(plan.histories.map((history) => actHistory(stage, history))),
      runOutages(plan.outages, world),
    ]);
    calm();
    const moving = await settle(world, desk);
    return audit(seed, world, caller, trails, moving);
  } finally {
    await world.close();
    diary.note("world", "closed");
  }
}

function audit(
  seed: number,
  world: World,
  caller: Caller,
  trails: Trail[],
  moving: string[],
): RoundResult {
  const db = openDb(world.databasePath);
  try {
    const evidence = gatherEvidence(world.sandbox, db, trails, world.kills);
    const violations = [
      ...moving.map((what): Violation => ({ rule: "everything comes to rest", what, about: [] })),
      ...answers(caller, trails),
      ...promises(evidence),
      ...file(evidence),
      ...ends(world),
      ...log(world),
      ...auditMoney(evidence),
      ...auditTimes(evidence),
      ...auditDocuments(evidence),
      ...auditMessages(evidence),
    ];
    return {
      seed,
      figures: {
        histories: trails.length,
        kills: world.kills,
        bookings: evidence.moments.size,
        payments: [...world.sandbox.ledger.payments.values()].filter((p) => p.captured).length,
        refunds: world.sandbox.ledger.refunds.size,
        documents: evidence.documents.length,
        messages: world.sandbox.mailbox.list().length + world.sandbox.whatsapp.messages.length,
        violations: violations.length,
      },
      violations,
      traceOf: (violation) => world.diary.trace(historyOf(trails, violation)),
    };
  } finally {
    db.close();
  }
}

function historyOf(trails: Trail[], { about }: Violation): number | null {
  const trail = trails.find(
    ({ appointmentId, orderIds, paymentIds }) =>
      (appointmentId !== null && about.includes(appointmentId)) ||
      about.some((id) => orderIds.has(id) || paymentIds.includes(id)),
  );
  return trail?.history.number ?? null;
}

/** Alive, it never answers 500, nor takes what is forged. */
function answers({ faults }: Caller, trails: Trail[]): Violation[] {
  return faults.map(({ who, what }) => ({
    rule: "answers keep the contract",
    what,
    about: [trails.find(({ history }) => history.number === who)?.appointmentId ?? ""],
  }));
}

/** What the app has answered stands, whatever was killed after it. */
function promises({ moments, trails, db, sandbox }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const byEmail = Map.groupBy(
    db.allRaw<{ id: string; email: string }>("SELECT id, email FROM appointment"),
    ({ email }) => email,
  );
  for (const { history, appointmentId, answeredConfirmed, answeredDeleted } of trails) {
    const broken = (what: string) =>
      violations.push({ rule: "an answer stands", what, about: [appointmentId ?? ""] });
    const states = appointmentId === null ? [] : moments.get(appointmentId);
    if (states === undefined) broken(`a booking that was answered is unknown: ${appointmentId}`);
    if (answeredConfirmed && !states?.some(({ status }) => status === "confirmed")) {
      broken("answered as confirmed and never was");
    }
    if (answeredDeleted && states?.at(-1)?.status !== "deleted")
      broken("answered as deleted and is not");
    const own = byEmail.get(history.request.email) ?? [];
    if (own.length > 1) broken(`${own.length} bookings under one idempotency key`);
  }
  const recorded = new Set(
    db.allRaw<{ id: string }>("SELECT event_id AS id FROM provider_event").map(({ id }) => id),
  );
  for (const delivery of sandbox.courier.deliveries.values()) {
    const eventId = delivery.headers["x-razorpay-event-id"];
    if (delivery.state === "delivered" && eventId && !recorded.has(eventId)) {
      violations.push({ rule: "an answer stands", what: `event ${eventId} was lost`, about: [] });
    }
  }
  return violations;
}

function file({ db }: Evidence): Violation[] {
  const integrity = db.allRaw<Record<string, string>>("PRAGMA integrity_check");
  const orphans = db.allRaw<Record<string, unknown>>("PRAGMA foreign_key_check");
  const parked = db.allRaw<Record<string, unknown>>(
    "SELECT event_id, kind, last_error FROM provider_event WHERE state = 'parked'",
  );
  const violationsOf = (rule: string, rows: unknown[]) =>
    rows.map((row): Violation => ({ rule, what: JSON.stringify(row), about: [] }));
  return [
    ...violationsOf(
      "the file is whole",
      integrity.filter((row) => Object.values(row)[0] !== "ok"),
    ),
    ...violationsOf("the file is whole", orphans),
    ...violationsOf("every event is worked on", parked),
  ];
}

/** Asked to, it ends by itself in time and says that all went well; unasked, never. */
function ends(world: World): Violation[] {
  const rule = "it ends when asked, cleanly within 10 s";
  const crashed = { rule, what: `${world.crashes} processes ended unasked`, about: [] };
  const unclean = world.ends
    .filter(({ status, ms }) => status !== 0 || ms > LONGEST_END_MS)
    .map(({ status, ms }) => ({ rule, what: `status ${status} after ${ms} ms`, about: [] }));
  return world.crashes > 0 ? [crashed, ...unclean] : unclean;
}

/** Lines that only a bug writes. */
function log(world: World): Violation[] {
  return world
    .output()
    .split("\n")
    .filter((line) =>
      /"msg":"(bug|worker task failed|a row's work failed|a row could not be put off)"/.test(line),
    )
    .map((line) => ({ rule: "no bug in the log", what: line.slice(0, 1_500), about: [] }));
}
