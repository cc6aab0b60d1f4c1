/**
 * The cookie of a browser that has signed in to an account before. It opens nothing: such a browser
 * is only counted by itself, so that no stranger's tries close the sign-in or the reset for it.
 */
import { createHash } from "node:crypto";
import { createCookie } from "react-router";
import { newId } from "#app/model/ids.ts";
import type { AdminRow } from "#db/queries/admins.server.ts";
import { hostCookieName } from "./cookie-name.ts";
import type { Env } from "./env.server.ts";

/** For one account, while that has the password it had then. */
export interface Device {
  id: string;
  adminId: string;
  proof: string;
}

type Account = Pick<AdminRow, "id" | "password_hash">;

const NAME = "admin_device";
/** 400 days: browsers keep none longer. */
const MAX_AGE_SECONDS = 34_560_000;

function cookieOf({ publicUrl, sessionSecrets }: Env) {
  return createCookie(hostCookieName(publicUrl, NAME), {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: publicUrl.startsWith("https:"),
    // A key of its own: no other signed cookie passes for this one.
    secrets: sessionSecrets.map((secret) => `${secret} device`),
    maxAge: MAX_AGE_SECONDS,
  });
}

/** Null for a cookie that is not of our making. Whether its account still knows it is not said. */
export async function readDevice(env: Env, header: string | undefined): Promise<Device | null> {
  if (!header?.includes(NAME)) return null;
  return ((await cookieOf(env).parse(header)) as Device | null) || null;
}

export function deviceHeader(env: Env, device: Device): Promise<string> {
  return cookieOf(env).serialize(device);
}

/** The device's id, if it has signed in to the account with the password that the account has. */
export function knownDevice(account: Account | null, device?: Device | null): string | null {
  const isKnown = account && device?.adminId === account.id && device.proof === proofOf(account);
  return isKnown ? device.id : null;
}

/** What the browser is to keep that has just proved the account its own. */
export function deviceOf(account: Account, device?: Device | null): Device {
  const id = device?.adminId === account.id ? device.id : newId();
  return { id, adminId: account.id, proof: proofOf(account) };
}

/**
 * Stands for the password that the account has now, and says nothing of it: the stored hash has a
 * random salt.
 */
export function proofOf({ password_hash }: Account): string {
  return createHash("sha256").update(password_hash).digest("base64url").slice(0, 22);
}
