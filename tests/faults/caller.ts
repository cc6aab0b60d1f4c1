/** Calls the app as clients do: tries again when it does not answer, and judges every answer. */
import { setTimeout as pause } from "node:timers/promises";
import { type ApiAnswer, type ApiInit, apiOf } from "#tests/helpers/api-client.ts";
import type { World } from "./world.ts";

/** Tries at a server that dies under the call or says that it cannot right now. */
const TRIES = 10;
const PAUSE_MS = 120;
/** No call of the app may take longer, whatever the provider does. */
const LONGEST_ANSWER_MS = 60_000;

/** The two statuses with which the contract lets the app say "try again". */
const TRY_AGAIN = [502, 503];

export interface Caller {
  /** Null if no answer came, however often it was tried. */
  call(who: number | string, path: string, init?: ApiInit): Promise<ApiAnswer | null>;
  /** Answers of the app that the contract does not allow. */
  readonly faults: { who: number | string; what: string }[];
}

export function callerOf(world: World): Caller {
  const { diary } = world;
  const api = apiOf(world.origin);
  const faults: Caller["faults"] = [];
  return {
    faults,
    async call(who, path, init = {}) {
      const method = init.method ?? ((init.json ?? init.body) ? "POST" : "GET");
      const label = `${method} ${path.replace(/([a-z0-9]{18})([a-z0-9]{8})/g, "…$2")}`;
      for (let tries = 1; tries <= TRIES; tries++) {
        let answer: ApiAnswer;
        await world.serving();
        try {
          answer = await withLimit(api(path, init));
        } catch (error) {
          if (error instanceof NoAnswer) {
            faults.push({ who, what: `${label} → no answer` });
            return null;
          }
          diary.note(who, `${label} → no answer (${reasonOf(error)})`);
          await pause(PAUSE_MS);
          continue;
        }
        const { httpStatus, code, data } = answer;
        diary.note(who, `${label} → ${httpStatus} ${code ?? data?.status ?? ""}`);
        if (TRY_AGAIN.includes(httpStatus)) {
          await pause(PAUSE_MS);
          continue;
        }
        if (httpStatus >= 500) {
          faults.push({ who, what: `${label} → ${httpStatus} ${answer.text.slice(0, 200)}` });
        }
        return answer;
      }
      return null;
    },
  };
}

class NoAnswer extends Error {}

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), LONGEST_ANSWER_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
