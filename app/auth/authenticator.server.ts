/** remix-auth with its form strategy, over our own session table: reads the form, signs in. */
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { check } from "#app/model/check.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { loginSchema } from "./fields.ts";
import { type SignedIn, signIn, signInClient } from "./sign-in.server.ts";

const FORM = "form";

/**
 * Signs in with a posted form of `username`, `password` and perhaps `totp`; reads the request's
 * body. Refusals: `validation_failed` and those of `signIn`.
 */
export function signInByForm(
  deps: Deps,
  request: Request,
  client: Client,
): Promise<Outcome<SignedIn>> {
  const authenticator = new Authenticator<Outcome<SignedIn>>();
  authenticator.use(
    new FormStrategy(async ({ form }) => {
      const credentials = check(loginSchema, Object.fromEntries(form));
      if (!credentials.ok) return credentials;
      return signIn(deps, credentials.value, signInClient(deps, request, client));
    }),
    FORM,
  );
  // The library makes a new request of the one it gets, and with it takes the body.
  return authenticator.authenticate(FORM, request.clone());
}
