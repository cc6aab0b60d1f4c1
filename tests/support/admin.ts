/** Signed-in calls, and bookings in the states that admins meet. */
import { hash } from "@node-rs/argon2";
import { createAdmin } from "#app/auth/manage-admins.server.ts";
import { sealTotpSecret } from "#app/auth/second-factor.server.ts";
import type { Db } from "#db/connection.server.ts";
import {
  countAdmins,
  findAdminByUsername,
  insertAdmin,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import type { Api, ApiAnswer, ApiInit } from "#tests/helpers/api-client.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { bookingBody } from "./bookings.ts";

type NewAdminRow = Parameters<typeof insertAdmin>[1];

export const UNKNOWN_ID = "abcdefghijkmnpqrstuvwxyz23";

export const PASSWORD = "quiet-runway-0917";

/** An account of Asha's, an owner, unless the changes say so; its password is cheap to check. */
export async function addAccount(db: Db, changes: Partial<NewAdminRow> = {}): Promise<void> {
  insertAdmin(db, {
    id: "asha",
    username: "asha",
    email: "asha@captains.example",
    passwordHash: await cheapHash(PASSWORD),
    createdAt: 0,
    updatedAt: 0,
    ...changes,
  });
}

export const cheapHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1 });

export const signIn = (app: TestApp, changes: object = {}): Promise<ApiAnswer> => {
  const { username, password } = ADMIN;
  return app.api("/api/admin/login", { json: { username, password, ...changes } });
};

/** As the browser sends it that has signed in. */
export const sessionCookie = (token: string) =>
  `admin_session=${encodeURIComponent(btoa(JSON.stringify(token)))}`;

export interface AdminApi {
  (path: string, init?: ApiInit): Promise<ApiAnswer>;
  token: string;
  /** As their browser asks for a page, or sends a form of it. */
  page: Api;
  /** The page that an answer of theirs leads to, with the notice that it gave the browser. */
  after(answer: Pick<ApiAnswer, "cookie">, path: string): Promise<ApiAnswer>;
}

/** Calls with a session of the app's admin; the admin is made if the start made none. */
export async function adminOf(app: TestApp): Promise<AdminApi> {
  if (countAdmins(app.db) === 0) await createAdmin({ db: app.db, now: Date.now }, ADMIN);
  return callsAs(app);
}

/** Calls with a session of who signs in with this; without, of the app's admin. */
export async function callsAs(
  app: TestApp,
  account: { username?: string; password?: string } = {},
): Promise<AdminApi> {
  const { username, password } = { ...ADMIN, ...account };
  const { data, text } = await signIn(app, { username, password });
  if (!data?.token) throw new Error(`not signed in: ${text}`);
  const token: string = data.token;
  const call = (path: string, init: ApiInit = {}) =>
    app.api(`/api/admin${path}`, { token, ...init });
  const page = (path: string, init: ApiInit = {}) =>
    app.api(path, { ...init, headers: { Cookie: sessionCookie(token), ...init.headers } });
  const after: AdminApi["after"] = ({ cookie }, path) =>
    page(path, { headers: { Cookie: `${sessionCookie(token)}; ${cookie}` } });
  return Object.assign(call, { token, page, after });
}

/** Turns the second factor of an account on, with this secret (base32) in its app. */
export function turnOnTotp(
  db: Db,
  sessionSecret: string | undefined,
  { username, secret }: { username: string; secret: string },
): void {
  const { id } = findAdminByUsername(db, username)!;
  const sealed = sealTotpSecret([sessionSecret ?? ""], id, secret);
  updateAdmin(db, id, 1, { totpSecret: sealed, totpConfirmedAt: 1 });
}

export async function book(app: TestApp, changes: Parameters<typeof bookingBody>[0] = {}) {
  const body = bookingBody(changes);
  const { data, text } = await app.api("/api/appointments", { json: body });
  if (!data?.id) throw new Error(`not booked: ${text}`);
  return { id: data.id as string, body };
}

/** Makes the order of a booking, or finds it again. */
export const makeOrder = (app: TestApp, appointmentId: string) =>
  app.api("/api/payments/create-order", { json: { appointmentId } });

/** Makes the order and pays it; `captured` money is applied before the answer. */
export async function pay(app: TestApp, id: string) {
  const { orderId } = (await makeOrder(app, id)).data;
  const proof = app.sandbox.pay(orderId, { outcome: "captured" });
  const verified = await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  await app.sandbox.idle();
  return {
    orderId: orderId as string,
    paymentId: proof.razorpay_payment_id,
    status: verified.data.status as string,
  };
}

export async function bookAndPay(app: TestApp, changes: Parameters<typeof bookingBody>[0] = {}) {
  const booked = await book(app, changes);
  return { ...booked, ...(await pay(app, booked.id)) };
}

/** Confirmed as a payment leaves it, but without the money, its documents and the mails about it. */
export async function bookConfirmed(app: TestApp, changes: Parameters<typeof bookingBody>[0] = {}) {
  const booked = await book(app, changes);
  app.db.runRaw(
    `UPDATE appointment SET status = 'confirmed', pay_before = NULL, hold_until = NULL,
       client_address = NULL, version = version + 1 WHERE id = ?`,
    [booked.id],
  );
  const forGood = "UPDATE session_time SET held_until = NULL WHERE appointment_id = ?";
  app.db.runRaw(forGood, [booked.id]);
  return booked;
}

/** The session begins at this instant, wherever it was booked. */
export function beginAt(app: TestApp, id: string, startsAt: number, minutes = 30): void {
  const times = "UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?";
  app.db.runRaw(times, [startsAt, startsAt + minutes * 60_000, id]);
}

/** Nobody holds its time any more, nor is there time left to pay. */
export function endHold(app: TestApp, id: string): void {
  const ended = Date.now() - 1_000;
  const sql = "UPDATE appointment SET pay_before = ?, hold_until = ? WHERE id = ?";
  app.db.runRaw(sql, [ended, ended, id]);
  app.db.runRaw("UPDATE session_time SET held_until = ? WHERE appointment_id = ?", [ended, id]);
}
