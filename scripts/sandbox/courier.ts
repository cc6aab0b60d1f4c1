import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Clock } from "./clock.ts";
import { newId } from "./signature.ts";

export interface Attempt {
  at: number;
  status: number | null;
  error: string | null;
  milliseconds: number;
}

export interface Delivery {
  id: string;
  eventId: string;
  url: string;
  headers: Record<string, string>;
  /** The exact bytes, kept as base64: every attempt sends the same. */
  bodyBase64: string;
  state: "waiting" | "delivered" | "given_up";
  createdTick: number;
  nextTick: number;
  attempts: Attempt[];
}

const MINUTE = 60_000;
const GIVE_UP_AFTER = 24 * 60 * MINUTE;

/** Delivers signed bodies: any 2xx within the time limit is success, else again after 1, 2, 4, 8 … minutes for 24 hours. */
export class Courier {
  readonly deliveries = new Map<string, Delivery>();
  readonly #byEvent = new Map<string, Delivery[]>();
  readonly #clock: Clock;
  readonly #timeout: number;
  #inFlight = 0;
  #firsts = 0;
  #closed = false;
  #epoch = 0;
  readonly #idleWaiters: (() => void)[] = [];
  onChange: () => void = () => {};
  onGivenUp: (delivery: Delivery) => void = () => {};
  onDelivered: (delivery: Delivery) => void = () => {};

  constructor(clock: Clock, timeoutMilliseconds: number) {
    this.#clock = clock;
    this.#timeout = timeoutMilliseconds;
  }

  /** Makes the first attempt after the delay; the promise ends with that attempt. */
  post(
    eventId: string,
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    delayMilliseconds = 0,
  ): Promise<void> {
    const now = this.#clock.tick();
    const delivery: Delivery = {
      id: newId("dlv"),
      eventId,
      url,
      headers,
      bodyBase64: body.toString("base64"),
      state: "waiting",
      createdTick: now,
      nextTick: now + delayMilliseconds,
      attempts: [],
    };
    this.#remember(delivery);
    this.onChange();
    if (delayMilliseconds <= 0) return this.#attempt(delivery);
    this.#clock.at(delivery.nextTick, () => void this.#attempt(delivery));
    return Promise.resolve();
  }

  of(eventId: string): Delivery[] {
    return this.#byEvent.get(eventId) ?? [];
  }

  /** Work that ends in first attempts; `idle` waits for it. */
  async track(work: Promise<unknown>): Promise<void> {
    this.#firsts += 1;
    try {
      await work;
    } finally {
      this.#firsts -= 1;
      this.#wakeIdle();
    }
  }

  /** True when no delivery is in flight before the time is over. Later retries do not count. */
  async idle(timeoutMilliseconds = 10_000): Promise<boolean> {
    const deadline = Date.now() + timeoutMilliseconds;
    while (this.#inFlight + this.#firsts > 0) {
      const left = deadline - Date.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#idleWaiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return true;
  }

  restore(saved: Delivery[]): void {
    for (const delivery of saved) {
      this.#remember(delivery);
      if (delivery.state === "waiting") {
        this.#clock.at(delivery.nextTick, () => void this.#attempt(delivery));
      }
    }
  }

  clear(): void {
    this.deliveries.clear();
    this.#byEvent.clear();
    this.#epoch += 1;
    this.onChange();
  }

  close(): void {
    this.#closed = true;
  }

  #remember(delivery: Delivery): void {
    this.deliveries.set(delivery.id, delivery);
    this.#byEvent.set(delivery.eventId, [...this.of(delivery.eventId), delivery]);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const epoch = this.#epoch;
    if (this.#closed || !this.deliveries.has(delivery.id)) return;
    this.#inFlight += 1;
    const began = Date.now();
    const outcome = await send(
      delivery.url,
      delivery.headers,
      Buffer.from(delivery.bodyBase64, "base64"),
      this.#timeout,
    );
    this.#inFlight -= 1;
    if (!this.#closed && epoch === this.#epoch) {
      delivery.attempts.push({ at: began, ...outcome, milliseconds: Date.now() - began });
      this.#judge(delivery, outcome.status);
      this.onChange();
    }
    this.#wakeIdle();
  }

  #judge(delivery: Delivery, status: number | null): void {
    if (status !== null && status >= 200 && status < 300) {
      delivery.state = "delivered";
      this.onDelivered(delivery);
      return;
    }
    const wait = MINUTE * 2 ** Math.min(delivery.attempts.length - 1, 10);
    delivery.nextTick = this.#clock.tick() + wait;
    if (delivery.nextTick - delivery.createdTick > GIVE_UP_AFTER) {
      delivery.state = "given_up";
      this.onGivenUp(delivery);
      return;
    }
    this.#clock.at(delivery.nextTick, () => void this.#attempt(delivery));
  }

  #wakeIdle(): void {
    for (const wake of this.#idleWaiters.splice(0)) wake();
  }
}

type Outcome = { status: number | null; error: string | null };

/** One POST on a connection of its own: a kept-alive one would hold up the receiver's shutdown. */
export function send(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  timeoutMilliseconds: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let done = false;
    const finish = (outcome: Outcome) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve(outcome);
    };
    const start = url.startsWith("https:") ? httpsRequest : httpRequest;
    const timer = setTimeout(() => {
      finish({ status: null, error: "no answer in time" });
      call?.destroy();
    }, timeoutMilliseconds);
    let call: ReturnType<typeof httpRequest> | undefined;
    try {
      call = start(
        url,
        { method: "POST", agent: false, headers: { ...headers, "Content-Length": body.length } },
        (response) => {
          response.resume();
          response.on("end", () => finish({ status: response.statusCode ?? null, error: null }));
          response.on("error", (error) => finish({ status: null, error: error.message }));
        },
      );
      call.on("error", (error: NodeJS.ErrnoException) =>
        finish({ status: null, error: error.code ?? error.message }),
      );
      call.end(body);
    } catch (error) {
      finish({ status: null, error: error instanceof Error ? error.message : String(error) });
    }
  });
}
