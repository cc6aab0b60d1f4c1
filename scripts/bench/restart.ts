/** A restart into the next release while requests come, from clients that try a refused connection again. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDb } from "#db/connection.server.ts";
import { bookingNumber, WINDOW_DAYS } from "./database.ts";
import type { Bench } from "./servers.ts";

/** Milliseconds between two tries of a refused connection. */
const TRY_EVERY_MS = 20;

/** What the next release changes in the database. */
const MIGRATION = `"29991231T0000_next_release": { async up(db) {
  await db.schema.alterTable("appointment").addColumn("next_release", "integer").execute();
  await db.schema.createIndex("next_release").on("appointment").columns(["email", "next_release"]).execute();
} },`;

/**
 * Sends `count` requests, so many a second, and restarts when half are sent; a refused connection is
 * tried again for `patience` milliseconds. Answers what became of each request without its answer, and
 * the milliseconds from the end of the old process to the new one's first answer.
 */
export async function restartUnderLoad(
  bench: Bench,
  database: string,
  { count, perSecond, patience }: Record<"count" | "perSecond" | "patience", number>,
) {
  const script = makeNextRelease(bench.path("next-release"));
  const env = { BOOKING_WINDOW_DAYS: String(WINDOW_DAYS) };
  const old = await bench.startApp(database, env);
  const { port } = old;
  const lost: string[] = [];
  const answers: Promise<void>[] = [];
  const kept = new Agent({ keepAlive: true });
  const send = (n: number) => {
    const job = ask(n, patience, { port, agent: isBooking(n) || n % 2 === 0 ? new Agent() : kept });
    answers.push(job.catch((error: unknown) => void lost.push(`request ${n}: ${error}`)));
  };
  let gapMs = Number.NaN;
  const restart = async () => {
    await old.stop();
    const ended = performance.now();
    const own = { ...env, PORT: String(port) };
    const next = await bench.startApp(database, own, script);
    await ask(0, patience, { port, agent: new Agent() });
    gapMs = performance.now() - ended;
    return next;
  };
  let restarted: ReturnType<typeof restart> | null = null;
  const started = performance.now();
  for (let n = 0; n < count; n++) {
    if (n === Math.floor(count / 2)) restarted = restart();
    send(n);
    await sleep(Math.max(0, started + ((n + 1) * 1000) / perSecond - performance.now()));
  }
  const next = await restarted;
  await Promise.all(answers);
  kept.destroy();
  await next?.stop();
  lost.push(...bookingFaults(database, count));
  return { lost, gapMs };
}

/** Every fifth request books, over a connection of its own: it must not be made twice. */
const isBooking = (n: number) => n % 5 === 4;

/** A kept page, a page made for one visitor, the day's times, the proxy's check, a booking. */
const PATHS = ["/", "/?captain=asha", "/refunds", "/health", "/api/appointments"];

type Target = Pick<RequestOptions, "port" | "agent">;

/** Throws the error that a client would see. */
async function ask(n: number, patience: number, to: Target): Promise<void> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await askOnce(n, to);
    } catch (error) {
      if (!mayTryAgain(error) || performance.now() > until) throw error;
      await sleep(TRY_EVERY_MS);
    }
  }
}

/** Refused, or sent over a kept connection as it closed: a proxy tries these again over another one. */
function mayTryAgain(error: unknown): boolean {
  const { code, wasKept } = error as NodeJS.ErrnoException & { wasKept?: boolean };
  return code === "ECONNREFUSED" || (wasKept === true && code === "ECONNRESET");
}

function askOnce(n: number, to: Target): Promise<void> {
  const path = PATHS[n % PATHS.length]!;
  const [method, expected] = isBooking(n) ? ["POST", 201] : ["GET", 200];
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const sent = request({ ...to, host: "127.0.0.1", path, method, headers }, (answer) => {
      answer.on("error", reject);
      answer.on("end", () => {
        if (answer.statusCode === expected) resolve();
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}`));
      });
      answer.resume();
    });
    sent.on("error", (error) => reject(Object.assign(error, { wasKept: sent.reusedSocket })));
    sent.end(isBooking(n) ? JSON.stringify(bookingNumber(n)) : undefined);
  });
}

/** Each booking that was answered is in the file, and once. */
function bookingFaults(database: string, count: number): string[] {
  const wanted = Array.from({ length: count }, (_, n) => n).filter(isBooking).length;
  const db = openDb(database, { readonly: true });
  const row = db.firstRaw<{ made: number }>(
    "SELECT count(*) AS made FROM appointment WHERE next_release IS NULL AND email GLOB 'meera.[0-9]*'",
  );
  db.close();
  return row?.made === wanted ? [] : [`${row?.made} bookings in the file instead of ${wanted}`];
}

/** The build with one migration more; answers the script that serves it. */
function makeNextRelease(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  for (const part of ["build", "scripts/serve.mjs", "scripts/process"]) {
    mkdirSync(join(folder, part, ".."), { recursive: true });
    cpSync(part, join(folder, part), { recursive: true });
  }
  const assets = join(folder, "build/server/assets");
  const start = "migrations = {";
  const files = readdirSync(assets)
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(assets, name))
    .filter((file) => readFileSync(file, "utf8").split(start).length === 2);
  const [file] = files;
  if (!file || files.length > 1) throw new Error("the build's migrations are not found");
  writeFileSync(file, readFileSync(file, "utf8").replace(start, `${start}${MIGRATION}`));
  return join(folder, "scripts/serve.mjs");
}
