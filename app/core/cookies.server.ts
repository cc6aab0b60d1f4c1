/** The cookies. All are bound to this host, and scripts cannot read them. */
import { createCookie } from "react-router";
import { HOUR } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import type { Env } from "./env.server.ts";

interface Kind {
  maxAgeSeconds: number;
  sameSite?: "lax" | "strict";
  /** Names the key it is signed with, so that no other signed cookie is accepted for it. */
  key?: string;
}

interface Cookie<T> {
  /** Null without the cookie, or if its signature is wrong. */
  read(env: Env, header: string | null | undefined): Promise<T | null>;
  /** The value of `Set-Cookie`; with null the browser forgets it. */
  header(env: Env, value: T | null): Promise<string>;
}

/** An unsigned cookie may hold anything: its reader has to check it. */
export function cookieOf<T>(
  name: string,
  { maxAgeSeconds: maxAge, sameSite = "lax", key }: Kind,
): Cookie<T> {
  const make = ({ publicUrl, sessionSecrets }: Env) => {
    const secure = publicUrl.startsWith("https:");
    const secrets = key ? sessionSecrets.map((secret) => `${secret} ${key}`) : [];
    const options = { path: "/", httpOnly: true, sameSite, secure, secrets, maxAge };
    // No neighbouring host can plant a cookie of that prefix; browsers refuse it on plain http.
    return createCookie(secure ? `__Host-${name}` : name, options);
  };
  return {
    async read(env, header) {
      if (!header?.includes(name)) return null;
      return ((await make(env).parse(header)) as T | null) || null;
    },
    header(env, value) {
      return value === null ? make(env).serialize("", { maxAge: 0 }) : make(env).serialize(value);
    },
  };
}

/** Finds a browser's own booking again, by a random token that stands for it. */
export const OWN_BOOKING_COOKIE = "last_booking";
export const OWN_BOOKING_MS = 6 * HOUR;

const ownBooking = cookieOf<unknown>(OWN_BOOKING_COOKIE, { maxAgeSeconds: OWN_BOOKING_MS / 1000 });

export async function readOwnToken(env: Env, request: Request): Promise<string | null> {
  const token = await ownBooking.read(env, request.headers.get("cookie"));
  return isId(token) ? token : null;
}

export const ownTokenHeader: Cookie<string>["header"] = ownBooking.header;

/** Counts for one account, until its password changes. */
export interface Device {
  id: string;
  adminId: string;
  proof: string;
}

/**
 * Marks a browser that has signed in to an account before. It gives no access: the browser's tries
 * are only counted apart, so that a stranger's tries cannot close the sign-in or the reset for it.
 */
export const { read: readDevice, header: deviceHeader } = cookieOf<Device>("admin_device", {
  // 400 days: browsers keep none longer.
  maxAgeSeconds: 34_560_000,
  sameSite: "strict",
  key: "device",
});
