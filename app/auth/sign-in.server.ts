/** Signing in and out. A failed sign-in gets the same response whether or not the user exists. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { z } from "zod";
import type { Device } from "#app/core/cookies.server.ts";
import type { Client, Deps, ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { accountNamed } from "#app/model/actor.ts";
import { check } from "#app/model/fields.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { alertOwner } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { deleteSession, findAdminByUsername } from "#db/queries/admins.server.ts";
import { loginSchema } from "./fields.ts";
import { countEntered, countSignIn, isClosed } from "./limits.server.ts";
import { orBusy, verifyPassword } from "./password.server.ts";
import { acceptSecondFactor, hasSecondFactor } from "./second-factor.server.ts";
import {
  type AdminIdentity,
  createSession,
  deviceOf,
  findSession,
  findUnchanged,
  knownDevice,
  proofOf,
  readTokens,
} from "./session.server.ts";

export interface SignInClient extends Pick<Client, "address" | "device"> {
  userAgent: string | null;
  /** Tokens of the sessions that the client already holds; a sign-in ends them. */
  heldTokens?: readonly string[];
}

/** What a request says about the client that signs in. */
export async function signInClient(
  { env }: Pick<Deps, "env">,
  request: Request,
  { address, device }: Pick<Client, "address" | "device">,
): Promise<SignInClient> {
  const userAgent = request.headers.get("user-agent");
  return { address, device, userAgent, heldTokens: await readTokens(env, request) };
}

export interface SignedIn extends ReturnType<typeof createSession> {
  admin: Pick<AdminIdentity, "username" | "role">;
  /** For the browser to keep. */
  device: Device;
}

const CODE_WANTED = codeRefusal("Please enter the code of your authenticator app.");
const CODE_WRONG = codeRefusal(
  "This code is wrong or was used already. Please enter the next one.",
);
const WRONG = failure("invalid_credentials", "The username or the password is wrong.");

/**
 * Creates a session under a new token and ends those that the client held. Refusals:
 * `invalid_credentials` (with `errors.totp` once the password is right but the second factor is
 * not), `rate_limited` with `retryAfter`, `unavailable`.
 */
export async function signIn(
  deps: Deps,
  { username, password, totp }: z.output<typeof loginSchema>,
  client: SignInClient,
): Promise<Outcome<SignedIn>> {
  const admin = findAdminByUsername(deps.db, username.trim());
  const known = knownDevice(admin, client.device);
  const { address } = client;
  // With the password's proof in the name, a new password starts without failed tries.
  const name = admin ? `${admin.username} ${proofOf(admin)}` : username;
  const counted = countSignIn(deps, known ? { known } : { username: name, address });
  if ("ok" in counted) {
    if (admin && !known && isClosed(deps, name)) {
      if (alertOwner(deps.db, deps.env, deps.now(), "sign_in_closed")) deps.wake();
    }
    return counted;
  }
  const checked = await orBusy(
    verifyPassword(admin?.passwordHash || null, password, {
      from: known ? null : address,
      counted,
    }),
  );
  if (!checked.ok) return checked;
  const right = checked.value;
  const entered = inTransaction(deps.db, (tx): Outcome<SignedIn> => {
    // No password is right for an account without access, or before its invitation is used.
    const account = right && admin ? findUnchanged(tx, admin) : null;
    if (!account) return WRONG;
    if (hasSecondFactor(account)) {
      if (!totp) return CODE_WANTED;
      if (!acceptSecondFactor(tx, deps, account.id, totp)) return CODE_WRONG;
    }
    const tooMany = countEntered(deps, account.id);
    if (tooMany) return tooMany;
    const who = accountNamed(account);
    logActivity(tx, { at: deps.now(), ...who, action: "login", after: { address } });
    for (const token of client.heldTokens ?? []) deleteSession(tx, sha256(token));
    const { username, role } = account;
    const session = createSession(deps, account.id, client);
    return success({
      ...session,
      admin: { username, role },
      device: deviceOf(account, client.device),
    });
  });
  if (entered.ok) counted.forgive();
  // Nothing was guessed: the page asks for the code next.
  else if (entered === CODE_WANTED || entered.code === "rate_limited") counted.giveBack();
  else {
    // An unknown name is not logged: people type their password into the wrong field.
    const who = admin ? accountNamed(admin) : { actor: "unknown" };
    logActivity(deps.db, { at: deps.now(), ...who, action: "login_failed", after: { address } });
  }
  return entered;
}

export interface FormSignIn {
  form: { username?: string; totp?: string; next?: string; unsent?: string };
  outcome: Outcome<SignedIn>;
}

/** What the strategy needs besides the request, which is all that the library passes to it. */
const signInContext = new AsyncLocalStorage<{ deps: Deps; client: Client }>();

const authenticator = new Authenticator<FormSignIn>().use(
  new FormStrategy(async ({ form, request }) => {
    const { deps, client } = signInContext.getStore()!;
    const fields = Object.fromEntries(form) as FormSignIn["form"];
    const typed = check(loginSchema, fields);
    if (!typed.ok) return { form: fields, outcome: typed };
    const by = await signInClient(deps, request, client);
    return { form: fields, outcome: await signIn(deps, typed.value, by) };
  }),
);

/** Signs in with a posted form. Refusals: `validation_failed` and those of `signIn`. */
export function signInByForm(deps: Deps, request: Request, client: Client): Promise<FormSignIn> {
  return signInContext.run({ deps, client }, () => authenticator.authenticate("form", request));
}

/** Ends the session. Does nothing for an unknown token. */
export function signOut(deps: ReadDeps, token: string): void {
  const session = findSession(deps, token);
  if (!session) return;
  inTransaction(deps.db, (tx) => {
    deleteSession(tx, session.tokenHash);
    logActivity(tx, { at: deps.now(), ...accountNamed(session.admin), action: "logout" });
  });
}

function codeRefusal(message: string) {
  return failure("invalid_credentials", message, { errors: { totp: [message] } });
}
