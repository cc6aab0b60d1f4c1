/** The cookie that finds a browser's own booking again. */
import { createCookie } from "react-router";
import { isId } from "#app/model/ids.ts";
import { hostCookieName } from "./cookie-name.ts";
import type { Deps } from "./deps.server.ts";

export const OWN_BOOKING_COOKIE = "last_booking";

export const MAX_AGE_SECONDS = 6 * 3600;

export function cookieFor(publicUrl: string) {
  return createCookie(hostCookieName(publicUrl, OWN_BOOKING_COOKIE), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    maxAge: MAX_AGE_SECONDS,
  });
}

export async function readOwnBookingId(
  { env }: Pick<Deps, "env">,
  request: Request,
): Promise<string | null> {
  const value: unknown = await cookieFor(env.publicUrl).parse(request.headers.get("cookie"));
  return isId(value) ? value : null;
}

export function ownBookingHeader({ env }: Pick<Deps, "env">, id: string): Promise<string> {
  return cookieFor(env.publicUrl).serialize(id);
}
