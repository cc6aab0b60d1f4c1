import type { Clock } from "./clock.ts";
import { newId } from "./random.ts";

interface Parcel {
  /** Id of the event or message that is delivered. */
  about: string;
  url: string;
  headers: Record<string, string>;
  /** The exact bytes: every attempt sends the same. */
  body: Buffer;
}

interface Delivery extends Parcel {
  state: "waiting" | "delivered" | "given_up";
  begun: number;
  /** Status of each attempt, or what went wrong. */
  attempts: (number | string)[];
}

const MINUTE = 60_000;
const GIVE_UP_AFTER = 24 * 60 * MINUTE;

/** Delivers signed bodies: any 2xx within the time limit is success, else again after 1, 2, 4, 8 … minutes for 24 hours. */
export function makeCourier(clock: Clock, timeoutMs: number) {
  const deliveries = new Map<string, Delivery>();
  let busy = 0;
  let closed = false;

  /** Counts work in hand, for which `idle` waits. */
  function track<T>(work: Promise<T>): Promise<T> {
    busy += 1;
    return work.finally(() => {
      busy -= 1;
    });
  }

  async function attempt(id: string): Promise<void> {
    const delivery = deliveries.get(id);
    if (!delivery || closed) return;
    const result = await track(send(delivery, timeoutMs));
    delivery.attempts.push(result);
    const wait = MINUTE * 2 ** Math.min(delivery.attempts.length - 1, 10);
    if (typeof result === "number" && result >= 200 && result < 300) delivery.state = "delivered";
    else if (clock.tick() + wait - delivery.begun < GIVE_UP_AFTER) later(id, wait);
    else delivery.state = "given_up";
  }

  const later = (id: string, ms: number) => clock.after(ms, () => void attempt(id));

  return {
    deliveries,
    track,
    /** Makes the first attempt, after the delay if there is one; without a delay the promise waits for it. */
    async post(parcel: Parcel, delaySeconds = 0): Promise<void> {
      const id = newId("dlv");
      const begun = clock.tick();
      deliveries.set(id, { ...parcel, begun, state: "waiting", attempts: [] });
      if (delaySeconds > 0) later(id, delaySeconds * 1000);
      else await attempt(id);
    },
    /** False if something is still in flight when the time is over. Later retries do not count. */
    async idle(timeout = 10_000): Promise<boolean> {
      const deadline = Date.now() + timeout;
      while (busy > 0 && Date.now() < deadline) await new Promise((wake) => setTimeout(wake, 2));
      return busy === 0;
    },
    clear: () => deliveries.clear(),
    close() {
      closed = true;
    },
  };
}

export type Courier = ReturnType<typeof makeCourier>;

/** One POST on a connection of its own: a kept-alive one would hold up the receiver's shutdown. */
async function send({ url, headers, body }: Parcel, timeout: number): Promise<number | string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, Connection: "close" },
      body: new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? name;
  }
}
