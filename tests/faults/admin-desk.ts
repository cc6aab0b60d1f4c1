/** The admin's calls: what a person at the dashboard does to appointments, messages and refunds. */
import { ADMIN } from "#tests/helpers/environment.ts";
import type { Caller } from "./caller.ts";

export type AdminDesk = Awaited<ReturnType<typeof openAdminDesk>>;

type Who = number | string;

/** Signs in once: a session outlives the process that gave it. */
export async function openAdminDesk(caller: Caller) {
  const { username, password } = ADMIN;
  const login = await caller.call("admin", "/api/admin/login", { json: { username, password } });
  const token = login?.data?.token as string | undefined;
  if (!token) throw new Error(`the admin cannot sign in: ${login?.httpStatus} ${login?.text}`);
  const path = (id: string) => `/api/admin/appointments/${id}`;
  const post = (who: Who, to: string, json?: unknown, headers = {}) =>
    caller.call(who, to, { method: "POST", token, json, headers });
  const paymentsOf = async (who: Who, id: string): Promise<Payment[]> =>
    (await caller.call(who, path(id), { token }))?.data?.payments ?? [];

  return {
    cancel: (who: Who, id: string) => post(who, `${path(id)}/cancel`),
    move: (who: Who, id: string, json: { date: string; newTimeSlot: string }) =>
      caller.call(who, `${path(id)}/reschedule`, { method: "PUT", token, json }),
    delete: (who: Who, id: string) => caller.call(who, path(id), { method: "DELETE", token }),
    refund: (who: Who, id: string, amount: number, key: string) =>
      post(who, `${path(id)}/refund`, { amount, reason: "Left early" }, { "Idempotency-Key": key }),
    retryRefund: (id: string) => post("admin", `/api/admin/refunds/${id}/retry`),
    /** Clicks the button beside every refund of the appointment that needs a person. */
    async retryRefunds(who: Who, id: string) {
      for (const { paymentId, refund } of await paymentsOf(who, id)) {
        if (refund?.status !== "failed" && refund?.status !== "needs_person") continue;
        await post(who, `/api/admin/refunds/${paymentId}/retry`);
      }
    },
    /** Sends an appointment's first message again. */
    async resend(who: Who, id: string) {
      const detail = await caller.call(who, path(id), { token });
      const message = detail?.data?.messages?.[0];
      if (message) await post(who, `/api/admin/messages/${message.id}/resend`);
    },
  };
}

interface Payment {
  paymentId: string;
  refund?: { status: string };
}
