/** Many requests at once, and a visitor from elsewhere whose waits are measured meanwhile. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "./bookings.ts";

export interface Shot {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface CrowdOptions {
  origin: string;
  shots: readonly Shot[];
  hangUpAfterMs?: number;
}

/** How often each status came, once all are answered or have hung up; `cut` for none. */
export async function crowd(
  { origin }: Pick<TestApp, "origin">,
  shots: readonly Shot[],
  hangUpAfterMs?: number,
): Promise<Record<string, number>> {
  const workerData = { origin, shots, hangUpAfterMs };
  const file = new URL("./crowd-thread.ts", import.meta.url);
  const worker = new Worker(file, { workerData, execArgv: [] });
  const [statuses] = await once(worker, "message");
  return statuses;
}

/** 0 where the system does not count them. */
function waitedMs(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** A calendar of 2 MB that takes the parser its whole time. */
export const HOSTILE_CALENDAR = [
  "BEGIN:VCALENDAR",
  ...Array.from({ length: 29_000 }, () => `X-PAD:${"x".repeat(60)}`),
  "BEGIN:VEVENT",
  "DTSTART:19000101T000000Z",
  "RRULE:FREQ=SECONDLY",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\n");

/** What a process holds in memory, MiB. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

const DAYS = 80;
/** Milliseconds between two visits. */
const PAUSE_MS = 100;

/** Reads the page and its times, books one of its own, and pays if asked to. */
export class Visitor {
  /** Milliseconds until each answer, less those in which other processes ran. */
  waits: number[] = [];
  /** Answers that an honest visitor must not get. */
  wrong: string[] = [];
  readonly #app: TestApp;
  readonly #addressHeader: string;
  #visits = 0;

  constructor(app: TestApp, addressHeader: string) {
    this.#app = app;
    this.#addressHeader = addressHeader;
  }

  /** Forgets what was measured. */
  begin(): void {
    this.waits = [];
    this.wrong = [];
  }

  /** One visit after the other until `over`, at least one. */
  async visitUntil(over: Promise<unknown>, pays = false): Promise<void> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    over.then(end, end);
    do {
      await this.visit(pays);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (!isOver);
  }

  async visit(pays: boolean): Promise<void> {
    const n = this.#visits++;
    const counselor = n % 2 === 0 ? ASHA : ROHAN;
    const date = dayAhead(3 + (Math.floor(n / 2) % DAYS));
    await this.#ask("page", "/", 200);
    const asked = new URLSearchParams({ counselor, date, package: "30" });
    const times = await this.#ask("times", `/api/slots?${asked}`, 200);
    const timeSlot: string | undefined = times.data?.availableSlots[0];
    // After many visits nothing is left.
    if (timeSlot === undefined) return;
    const json = bookingBody({ counselor, date, timeSlot });
    const booked = await this.#ask("booking", "/api/appointments", 201, json);
    const appointmentId: string | undefined = booked.data?.id;
    if (!pays || !appointmentId) return;
    const path = "/api/payments/create-order";
    const order = await this.#ask("order", path, 200, { appointmentId });
    if (!order.data) return;
    const proof = this.#app.sandbox.pay(order.data.orderId, { webhooks: false });
    const { payment: _, ...signed } = proof;
    await this.#ask("payment", "/api/payments/verify", 200, { ...signed, appointmentId });
  }

  /** The waits at the median, at the 99th percentile and at most. */
  figures(): { median: number; p99: number; most: number; count: number } {
    const all = this.waits.map(Math.round).sort((one, other) => one - other);
    const at = (share: number) => all[Math.ceil(all.length * share) - 1] ?? 0;
    return { median: at(0.5), p99: at(0.99), most: at(1), count: all.length };
  }

  /** Milliseconds so far in which the server's thread or ours waited for a processor. */
  #heldUp(): number {
    const pid = this.#app.server!.pid;
    return waitedMs(`/proc/${pid}/task/${pid}`) + waitedMs("/proc/thread-self");
  }

  async #ask(step: string, path: string, expected: number, json?: unknown) {
    // Each visit has an address of its own, so that no limit per address is met.
    const address = `198.18.${this.#visits >> 8}.${this.#visits & 255}`;
    const headers = { [this.#addressHeader]: address };
    const startedAt = performance.now() - this.#heldUp();
    const answer = await this.#app.api(path, { headers, ...(json !== undefined && { json }) });
    this.waits.push(Math.max(0, performance.now() - this.#heldUp() - startedAt));
    if (answer.status !== expected) {
      this.wrong.push(`${step}: ${answer.status} ${answer.code ?? ""}`);
    }
    return answer;
  }
}
