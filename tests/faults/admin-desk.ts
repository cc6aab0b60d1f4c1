/** The admin's calls: what a person at the dashboard does to appointments, messages and refunds. */
import type { ApiAnswer } from "#tests/helpers/api-client.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import type { Caller } from "./caller.ts";

export interface AdminDesk {
  cancel(who: number | string, id: string): Promise<ApiAnswer | null>;
  move(
    who: number | string,
    id: string,
    to: { date: string; newTimeSlot: string },
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
}

/** Signs in once: a session outlives the process that gave it. */
export async function openAdminDesk(caller: Caller): Promise<AdminDesk> {
  const { username, password } = ADMIN;
  const login = await caller.call("admin", "/api/admin/login", { json: { username, password } });
  const token = login?.data?.token as string | undefined;
  if (!token) throw new Error(`the admin cannot sign in: ${login?.httpStatus} ${login?.text}`);
  const path = (id: string) => `/api/admin/appointments/${id}`;
  return {
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
    retryRefund: (id) =>
      caller.call("admin", `/api/admin/refunds/${id}/retry`, { method: "POST", token }),
  };
}
