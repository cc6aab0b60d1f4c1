/** The admin's calls: what a person at the dashboard does to appointments, messages and refunds. */
import type { ApiAnswer } from "#tests/helpers/api-client.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import type { Caller } from "./caller.ts";

/** With the key that every press of it carries. */
interface Keyed {
  key: string;
  json: unknown;
}

export interface AdminDesk {
  cancel(who: number | string, id: string): Promise<ApiAnswer | null>;
  move(
    who: number | string,
    id: string,
    to: { date: string; newTimeSlot: string; counselor?: string },
  ): Promise<ApiAnswer | null>;
  delete(who: number | string, id: string): Promise<ApiAnswer | null>;
  edit(
    who: number | string,
    id: string,
    change: { email?: string; phone?: string },
  ): Promise<ApiAnswer | null>;
  block(
    who: number | string,
    time: { counselor: string; date: string; timeSlot: string },
  ): Promise<ApiAnswer | null>;
  /** Sends an appointment's first message again. */
  resend(who: number | string, id: string): Promise<ApiAnswer | null>;
  /** Presses the button beside every refund of the appointment that needs a person. */
  retryRefunds(who: number | string, id: string): Promise<void>;
  retryRefund(refundOrPaymentId: string): Promise<ApiAnswer | null>;
  /** One press of staff's booking, or of what is done to one: `payment`, `refund`, `cancel`. */
  press(who: number | string, what: string, wish: Keyed): Promise<ApiAnswer | null>;
  detail(who: number | string, id: string): Promise<ApiAnswer | null>;
  /** Says that a refund was paid back by hand; true if that was taken. */
  settle(who: number | string, refundId: string): Promise<boolean>;
  /** Refunds that were answered as paid back by hand. */
  readonly settled: Set<string>;
}

/** Signs in once: a session outlives the process that gave it. */
export async function openAdminDesk(caller: Caller): Promise<AdminDesk> {
  const { username, password } = ADMIN;
  const login = await caller.call("admin", "/api/admin/login", { json: { username, password } });
  const token = login?.data?.token as string | undefined;
  if (!token) throw new Error(`the admin cannot sign in: ${login?.httpStatus} ${login?.text}`);
  const path = (id: string) => `/api/admin/appointments/${id}`;
  const settled = new Set<string>();
  return {
    settled,
    cancel: (who, id) => caller.call(who, `${path(id)}/cancel`, { method: "POST", token }),
    move: (who, id, json) =>
      caller.call(who, `${path(id)}/reschedule`, { method: "PUT", token, json }),
    delete: (who, id) => caller.call(who, path(id), { method: "DELETE", token }),
    edit: (who, id, json) => caller.call(who, path(id), { method: "PATCH", token, json }),
    block: (who, { counselor, date, timeSlot }) =>
      caller.call(who, "/api/admin/blocks", {
        token,
        json: { counselor, date, timeSlotsToBlock: [timeSlot], action: "block" },
      }),
    async retryRefunds(who, id) {
      const detail = await caller.call(who, path(id), { token });
      for (const { paymentId, refund } of detail?.data?.payments ?? []) {
        if (refund?.status !== "failed" && refund?.status !== "needs_person") continue;
        await caller.call(who, `/api/admin/refunds/${paymentId}/retry`, { method: "POST", token });
      }
    },
    async resend(who, id) {
      const detail = await caller.call(who, path(id), { token });
      const message = detail?.data?.messages?.[0];
      if (!message) return detail;
      return caller.call(who, `/api/admin/messages/${message.id}/resend`, {
        method: "POST",
        token,
      });
    },
    press: (who, what, { key, json }) =>
      caller.call(who, path(what).replace(/\/$/, ""), {
        token,
        json,
        headers: { "Idempotency-Key": key },
      }),
    detail: (who, id) => caller.call(who, path(id), { token }),
    async settle(who, refundId) {
      const json = { reference: "UTR 4711" };
      const answer = await caller.call(who, `/api/admin/refunds/${refundId}/settle`, {
        token,
        json,
      });
      if (answer === null) return false;
      if (answer.httpStatus === 200) settled.add(refundId);
      // A repeat whose first answer was lost is refused too: it is settled already.
      else if (answer.code !== "stale") {
        caller.faults.push({ who, what: `settling ${refundId} → ${answer.text.slice(0, 200)}` });
      }
      return answer.httpStatus === 200;
    },
    retryRefund: (id) =>
      caller.call("admin", `/api/admin/refunds/${id}/retry`, { method: "POST", token }),
  };
}
