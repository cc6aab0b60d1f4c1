/** How far a reset has come: a signed cookie, so that neither address nor code is in a URL. */
import { createCookie } from "react-router";
import { hostCookieName } from "#app/core/cookie-name.ts";
import type { Deps } from "#app/core/deps.server.ts";

export type ResetState =
  | { step: "email" }
  | { step: "otp"; email: string }
  | { step: "password"; email: string; otp: string };

/** The life of a code. */
const MAX_AGE_SECONDS = 600;

function cookieOf({ publicUrl, sessionSecrets }: Deps["env"]) {
  return createCookie(hostCookieName(publicUrl, "admin_reset"), {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: publicUrl.startsWith("https:"),
    // A key of its own: no other signed cookie passes for this one.
    secrets: sessionSecrets.map((secret) => `${secret} reset`),
    maxAge: MAX_AGE_SECONDS,
  });
}

export async function readResetState(
  { env }: Pick<Deps, "env">,
  request: Request,
): Promise<ResetState> {
  const state = (await cookieOf(env).parse(request.headers.get("cookie"))) as ResetState | null;
  return state ?? { step: "email" };
}

export function resetStateHeader({ env }: Pick<Deps, "env">, state: ResetState): Promise<string> {
  if (state.step === "email") return cookieOf(env).serialize("", { maxAge: 0 });
  return cookieOf(env).serialize(state);
}
