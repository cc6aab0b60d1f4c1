/**
 * Each route of the table asked 100 times at once, by one client, by five, and by a captain's and a
 * staff's account, beside a visitor from elsewhere who books and pays: whose wait of more than a
 * second, or wrong answer, is the finding, and memory that the crowd takes. FUZZ_CROWDS sets how many
 * of the routes (all: 0), FUZZ_SEED which.
 */
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openDb } from "#db/connection.server.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { addAccount, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { captainAccount } from "#tests/support/captain.ts";
import { crowd, HOSTILE_CALENDAR, residentMiB, type Shot, Visitor } from "#tests/support/crowd.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { FIELDS, QUERIES, TARGETS } from "./fuzz-targets.ts";
import { sessionOf } from "./own-session.ts";
import { knownValues } from "./values.ts";

const CROWDS = Number(process.env.FUZZ_CROWDS);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_124);
const ADDRESS_HEADER = "x-client";
const AT_ONCE = 100;
const MOST_WAIT_MS = 1_000;
/** Of the wait of a visitor alone, which is long too where other tests use processors and disk. */
const MOST_TIMES_ALONE = 10;
const MOST_GROWTH_MIB = 150;
const HANG_UP_MS = 4_000;
/** Of a few years, so that lists and figures cost what they cost an owner. */
const ROWS = 20_000;

const STAFF = "desk";

/**
 * A request of the kind that the route takes; `n` makes those of a crowd differ where they may.
 * Every second read names no filter, because reading everything costs most.
 */
function shotOf(target: string, id: string, n: number): Shot {
  const [method = "GET", pattern = "/"] = target.split(" ");
  const known = knownValues([id]);
  const valued = (names: readonly string[]) =>
    names.map((name): [string, unknown] => [name, known[name]?.[0] ?? `${name} ${n}`]);
  const values = { ":id": id, ":key": "asha", ":minutes": "30", ":username": STAFF };
  const path = Object.entries(values)
    .reduce((text, [name, value]) => text.replace(name, value), pattern)
    .replace(/:\w+/g, `x${n}`);
  const isRead = method === "GET";
  const filters = isRead && n % 2 === 1 ? [] : valued(QUERIES[target] ?? []);
  const query = new URLSearchParams(
    [...filters, ["zz", n]].map(([name, value]) => [
      String(name),
      name === "to" || name === "endDate" ? dayAhead(400) : String(value),
    ]),
  );
  const fields = Object.fromEntries(valued(FIELDS[target] ?? []));
  const isCall = path.startsWith("/api/") || path.startsWith("/webhooks/");
  const form = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const type = isCall ? "application/json" : "application/x-www-form-urlencoded";
  return {
    method,
    path: `${path}?${query}`,
    headers: { Accept: "text/html", ...(isRead ? {} : { "Content-Type": type }) },
    ...(isRead
      ? {}
      : { body: isCall ? JSON.stringify(fields) : String(new URLSearchParams(form)) }),
  };
}

it("holds up no visitor, whoever asks", { timeout: TARGETS.length * 60_000 }, async () => {
  const app = await startTestApp({
    separateProcess: true,
    env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: ADDRESS_HEADER, LOG_LEVEL: "error" },
  });
  try {
    const db = openDb(app.env.DATABASE_PATH!);
    insertManyAppointments(db, ROWS);
    db.close();
    const { username: captain } = await captainAccount(app);
    const email = "desk@captains.example";
    await addAccount(app.db, { id: STAFF, username: STAFF, email, role: "staff" });
    const { id } = await bookAndPay(app, { date: dayAhead(88) });
    let address = 0;
    const from = () => ({ [ADDRESS_HEADER]: `203.0.${++address >> 8}.${address & 255}` });
    const crowds: [who: string, headers: () => Record<string, string>[]][] = [
      ["one client", () => [from()]],
      ["five clients", () => [from(), from(), from(), from(), from()]],
      ...[captain, STAFF].map((name): (typeof crowds)[number] => [
        name,
        () => [{ Authorization: `Bearer ${sessionOf(app, name)}`, ...from() }],
      ]),
    ];
    const findings: string[] = [];
    app.sandbox.calendars.texts.set("roster", HOSTILE_CALENDAR);
    await app.api("/api/admin/counselors/asha/busy-calendar", {
      method: "PUT",
      json: { url: app.sandbox.addresses.calendarUrl },
      token: sessionOf(app, ADMIN.username),
    });
    const visitor = new Visitor(app, ADDRESS_HEADER);
    await visitor.visit(true);
    const waitAlone = async () => {
      visitor.begin();
      await visitor.visitUntil(wait(1_000), true);
      return visitor.figures().most;
    };
    /** What the visitor beside them met; null: nothing to speak of. */
    const meet = async (target: string, clients: Record<string, string>[]) => {
      visitor.begin();
      const before = residentMiB(app.server!.pid);
      const shots = clients.flatMap((client) =>
        Array.from({ length: AT_ONCE }, (_, n) => {
          const shot = shotOf(target, id, n);
          return { ...shot, headers: { ...shot.headers, ...client } };
        }),
      );
      await visitor.visitUntil(crowd(app, shots, HANG_UP_MS), true);
      const { most } = visitor.figures();
      if (visitor.wrong.length > 0) return `answers ${visitor.wrong[0]}`;
      const grown = Math.round(residentMiB(app.server!.pid) - before);
      if (grown > MOST_GROWTH_MIB) return `sees the server grow by ${grown} MiB`;
      const isLong = most > MOST_WAIT_MS && most > MOST_TIMES_ALONE * (await waitAlone());
      return isLong ? `waits ${most} ms` : null;
    };
    const order = fc.sample(fc.shuffledSubarray(TARGETS, { minLength: TARGETS.length }), {
      seed: SEED,
      numRuns: 1,
    })[0]!;
    for (const target of order.slice(0, CROWDS || order.length)) {
      for (const [who, clients] of crowds) {
        // Twice: once may be the machine's.
        const found = (await meet(target, clients())) && (await meet(target, clients()));
        if (!found) continue;
        const finding = `${target}, ${AT_ONCE} times at once by ${who}: a visitor ${found}`;
        console.log(`FOUND (seed ${SEED}): ${finding}`);
        findings.push(finding);
      }
    }
    expect(findings).toEqual([]);
  } finally {
    await app.stop();
  }
});
