/** The admin's calls: what a person at the dashboard does to appointments, messages and refunds. */
import { ADMIN } from "#tests/helpers/environment.ts";
import type { Caller } from "./caller.ts";

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
