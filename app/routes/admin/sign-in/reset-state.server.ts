/** How far a reset has come, in a signed cookie: neither address nor code is in a URL. */
import { CODE_LIFE_MS } from "#app/auth/limits.server.ts";
import { cookieOf } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";

export type ResetState =
  | { step: "email" }
  | { step: "otp"; email: string }
  | { step: "password"; email: string; otp: string }
  | { step: "complete" };

const cookie = cookieOf<ResetState>("admin_reset", {
  maxAgeSeconds: CODE_LIFE_MS / 1000,
  sameSite: "strict",
  key: "reset",
});

export async function readResetState(
  { env }: Pick<Deps, "env">,
  request: Request,
): Promise<ResetState> {
  return (await cookie.read(env, request.headers.get("cookie"))) ?? { step: "email" };
}

export function resetStateHeader({ env }: Pick<Deps, "env">, state: ResetState): Promise<string> {
  return cookie.header(env, state.step === "email" ? null : state);
}
