/** Calls the app as clients and its admin do: tries again when it does not answer, and judges every answer. */
import { setTimeout as pause } from "node:timers/promises";
import { type ApiAnswer, type ApiInit, apiOf } from "#tests/helpers/api-client.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
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

export type AdminDesk = Awaited<ReturnType<typeof openAdminDesk>>;

/** Signs in once: a session outlives the process that gave it. */
export async function openAdminDesk({ call }: Caller) {
  const { username, password } = ADMIN;
  const login = await call("admin", "/api/admin/login", { json: { username, password } });
  const token = login?.data?.token as string | undefined;
  if (!token) throw new Error(`the admin cannot sign in: ${login?.status} ${login?.text}`);
  const path = (id: string) => `/api/admin/appointments/${id}`;
  const post = (who: string, to: string, json?: unknown, headers = {}) =>
    call(who, to, { method: "POST", token, json, headers });

  return {
    cancel: (who: string, id: string) => post(who, `${path(id)}/cancel`),
    move: (who: string, id: string, json: { date: string; newTimeSlot: string }) =>
      call(who, `${path(id)}/reschedule`, { method: "PUT", token, json }),
    delete: (who: string, id: string) => call(who, path(id), { method: "DELETE", token }),
    refund: (who: string, id: string, amount: number, key: string) =>
      post(who, `${path(id)}/refund`, { amount, reason: "Left early" }, { "Idempotency-Key": key }),
    retryRefund: (id: string) => post("admin", `/api/admin/refunds/${id}/retry`),
    /** Clicks the button beside every refund of the appointment that needs a person. */
    async retryRefunds(who: string, id: string) {
      const detail = await call(who, path(id), { token });
      for (const { paymentId, refund } of detail?.data?.payments ?? []) {
        if (refund?.status !== "failed" && refund?.status !== "needs_person") continue;
        await post(who, `/api/admin/refunds/${paymentId}/retry`);
      }
    },
    /** Sends an appointment's first message again. */
    async resend(who: string, id: string) {
      const detail = await call(who, path(id), { token });
      const message = detail?.data?.messages?.[0];
      if (message) await post(who, `/api/admin/messages/${message.id}/resend`);
    },
  };
}
