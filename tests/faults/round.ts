/** One round: a fresh world, many histories at once under faults and kills, then the audit. */
import { openDb } from "#db/connection.server.ts";
import { callerOf, openAdminDesk } from "./caller.ts";
import { Dice } from "./dice.ts";
import {
  beginJournal,
  type Evidence,
  gatherEvidence,
  type Rules,
  violationsOf,
} from "./evidence.ts";
import { History, moveTimes, type Stage } from "./history.ts";
import { MESSAGE_RULES } from "./message-audit.ts";
import { DOCUMENT_RULES, MONEY_RULES, TIME_RULES } from "./money-audit.ts";
import { settle } from "./settlement.ts";
import { beginWeather, openWorld, runOutages, type World } from "./world.ts";

const LONGEST_END_MS = 10_000;
/** Far beyond what a slow machine needs. */
export const LONGEST_ROUND_MS = 400_000;
/** Lines that only a bug writes. */
const BUG = /"msg":"(bug|worker task failed|a row's work failed|a row could not be put off)"/;

/** Answers what was counted, and what is wrong, with the trace of the first history that shows it. */
export async function runRound(seed: number, histories: number, kills: number) {
  const world = await openWorld(seed);
  const stuck = setTimeout(() => {
    console.error([`seed ${seed} is stuck:`, ...linesOf(world).slice(-40)].join("\n"));
  }, LONGEST_ROUND_MS);
  try {
    beginJournal(world.databasePath);
    const caller = callerOf(world);
    const desk = await openAdminDesk(caller);
    const stage: Stage = { seed, world, caller, desk, proofs: [], nextMove: moveTimes() };
    const calm = beginWeather(new Dice(seed), world);
    const played = Array.from({ length: histories }, (_, i) =>
      new History(stage, new Dice(seed * 1_000 + i), i + 1).play(),
    );
    const [trails] = await Promise.all([
      Promise.all(played),
      runOutages(new Dice(seed + 5_000_011), kills, world),
    ]);
    calm();
    const moving = await settle(world, desk);
    const db = openDb(world.databasePath);
    const evidence = gatherEvidence(world.sandbox, db, trails, world.kills);
    const report = reportOf(world, evidence, {
      "everything comes to rest": () => moving,
      // Alive, it never answers 500, nor takes what is forged.
      "answers keep the contract": () => caller.faults,
      "an answer stands": promises,
      "the file is whole": file,
      "every event is worked on": parked,
      "it ends when asked, cleanly within 10 s": () => ends(world),
      "no bug in the log": () =>
        world
          .output()
          .split("\n")
          .filter((line) => BUG.test(line)),
      ...MONEY_RULES,
      ...TIME_RULES,
      ...DOCUMENT_RULES,
      ...MESSAGE_RULES,
    });
    db.close();
    const { ledger, mailbox, whatsapp } = world.sandbox;
    const figures = {
      histories,
      kills: world.kills,
      bookings: evidence.moments.size,
      payments: [...ledger.payments.values()].filter(({ captured }) => captured).length,
      refunds: ledger.refunds.size,
      documents: evidence.documents.length,
      messages: mailbox.list().length + whatsapp.messages.length,
    };
    return { figures, report };
  } finally {
    clearTimeout(stuck);
    await world.close();
  }
}

/** Below the first violation of each rule what was done in the history that it names. */
function reportOf(world: World, evidence: Evidence, rules: Rules): string[] {
  const traced = new Set<string>();
  return violationsOf(rules, evidence).flatMap(({ rule, what }) => {
    const line = `✗ ${rule}: ${what.slice(0, 1_500)}`;
    if (traced.has(rule)) return [line];
    traced.add(rule);
    const history = evidence.trails.find(({ who, appointmentId, orderIds, paymentIds }) =>
      [`${who}:`, appointmentId, ...orderIds, ...paymentIds].some((id) => id && what.includes(id)),
    );
    return [line, ...linesOf(world, history?.who).map((done) => `    ${done}`)];
  });
}

/** Of one history with the kills and switches around it, or of the world alone. */
const linesOf = ({ trace }: World, history?: string): string[] =>
  trace.filter(({ who }) => who === history || !who.startsWith("history")).map(({ line }) => line);

/** What the app has answered stands, whatever was killed after it. */
function* promises({ moments, trails, db, sandbox }: Evidence) {
  const rows = db.allRaw<{ id: string; email: string }>("SELECT id, email FROM appointment");
  const byEmail = Map.groupBy(rows, ({ email }) => email);
  for (const { email, appointmentId: id, answeredConfirmed, answeredDeleted } of trails) {
    const states = id === null ? [] : moments.get(id);
    if (states === undefined) yield `a booking that was answered is unknown: ${id}`;
    if (answeredConfirmed && !states?.some(({ status }) => status === "confirmed")) {
      yield `answered as confirmed and never was: ${id}`;
    }
    if (answeredDeleted && states?.at(-1)?.status !== "deleted") {
      yield `answered as deleted and is not: ${id}`;
    }
    const own = byEmail.get(email) ?? [];
    if (own.length > 1) yield `${own.length} bookings under one idempotency key: ${id}`;
  }
  const events = db.allRaw<{ id: string }>("SELECT event_id AS id FROM provider_event");
  const recorded = new Set(events.map(({ id }) => id));
  for (const { headers, state } of sandbox.courier.deliveries.values()) {
    const eventId = headers["x-razorpay-event-id"];
    if (state === "delivered" && eventId && !recorded.has(eventId)) {
      yield `event ${eventId} was lost`;
    }
  }
}

function* file({ db }: Evidence) {
  for (const row of db.allRaw<Record<string, string>>("PRAGMA integrity_check")) {
    if (Object.values(row)[0] !== "ok") yield JSON.stringify(row);
  }
  for (const orphan of db.allRaw("PRAGMA foreign_key_check")) yield JSON.stringify(orphan);
}

function* parked({ db }: Evidence) {
  const events = "SELECT event_id, kind, last_error FROM provider_event WHERE state = 'parked'";
  for (const event of db.allRaw(events)) yield JSON.stringify(event);
}

/** Asked to, it ends by itself in time and says that all went well; unasked, never. */
function* ends({ crashes, ends: asked }: World) {
  if (crashes > 0) yield `${crashes} processes ended unasked`;
  for (const { status, ms } of asked) {
    if (status !== 0 || ms > LONGEST_END_MS) yield `status ${status} after ${ms} ms`;
  }
}
