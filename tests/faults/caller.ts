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

export type Caller = ReturnType<typeof callerOf>;

export function callerOf({ origin, note, serving }: World) {
  const api = apiOf(origin);
  /** Answers of the app that the contract does not allow. */
  const faults: string[] = [];
  /** Null if no answer came, however often it was tried. */
  async function call(who: string, path: string, init: ApiInit = {}): Promise<ApiAnswer | null> {
    const method = init.method ?? ((init.json ?? init.form) ? "POST" : "GET");
    const label = `${method} ${path.replace(/([a-z0-9]{18})([a-z0-9]{8})/g, "…$2")}`;
    for (let tries = 1; tries <= TRIES; tries++) {
      await serving();
      const asked = Date.now();
      const answer = await api(path, init).catch((error) => {
        note(who, `${label} → no answer (${error.cause?.code ?? error.message})`);
        return null;
      });
      const ms = Date.now() - asked;
      if (ms > LONGEST_ANSWER_MS) faults.push(`${who}: ${label} → after ${ms} ms`);
      if (answer) {
        const { status, code, data, text } = answer;
        note(who, `${label} → ${status} ${code ?? data?.status ?? ""}`);
        if (!TRY_AGAIN.includes(status)) {
          if (status >= 500) {
            faults.push(`${who}: ${label} → ${status} ${text.slice(0, 200)}`);
          }
          return answer;
        }
      }
      await pause(PAUSE_MS);
    }
    return null;
  }
  return { faults, call };
}
