/** The gates of the admin's pages and calls: who is signed in, and whether their role may. */
import {
  createContext,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { forbid } from "#app/core/forbid.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { DAY } from "#app/model/duration.ts";
import {
  type Failure,
  failure,
  type Outcome,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { mayAsk } from "./roles.ts";
import { type LiveSession, readSession } from "./session.server.ts";

/** Set by the gate for everything behind it. */
export const adminContext = createContext<LiveSession>();

type Context = Readonly<RouterContextProvider>;

/** Who acts, behind the gate. */
export function actorOf(context: Context): Actor & { kind: "admin" } {
  const { admin, tokenHash } = context.get(adminContext);
  const { username, role, counselorKey } = admin;
  return { kind: "admin", username, role, session: { tokenHash, counselorKey } };
}

/** Whether who is signed in may do what only some of those who come so far may. */
export function may(context: Context, subject: Subject): boolean {
  return mayDo(actorOf(context).role, subject);
}

/** Whose sessions and days a captain sees; null for those who see everybody's. */
export function ownCounselor(context: Context): string | null {
  return context.get(adminContext).admin.counselorKey;
}

const UNAUTHENTICATED = failure("unauthenticated", "Please sign in.");

/**
 * The live session of a request whose role may ask for the route. Refusals: `unauthenticated`,
 * `forbidden`, which is logged; `rate_limited` for a captain's changes of one day.
 */
export async function admit(
  deps: Deps,
  request: Request,
  pattern: string,
): Promise<Outcome<LiveSession>> {
  const session = await readSession(deps, request);
  if (!session) return UNAUTHENTICATED;
  const { id, role } = session.admin;
  if (mayAsk(role, pattern, request.method)) {
    const isBounded = role === "captain" && !/^(GET|HEAD|OPTIONS)$/.test(request.method);
    const tooMany = isBounded && deps.env.rateLimit ? countChange(deps, id) : null;
    return tooMany ?? success(session);
  }
  return forbid(deps, session.admin, `${request.method} /${pattern.replace(/^\//, "")}`);
}

/** A captain's program does not fill the file. */
const counters = countersByEnv({ changes: { points: 200, windowMs: DAY } });

function countChange({ env, now }: Pick<Deps, "env" | "now">, id: string): Failure | null {
  const message = "You have made 200 changes today. Please go on tomorrow, or ask an owner.";
  return takeOne(counters(env).changes, { about: id }, now(), message);
}

const SIGN_IN = "/admin";

/**
 * Middleware of the gated pages: without a live session the sign-in, which leads back here; a page
 * that says so where the role may not.
 */
export const requireAdmin: MiddlewareFunction<Response> = async (asked) => {
  const { request, url, context, pattern } = asked;
  const admitted = await admit(context.get(depsContext), request, pattern);
  if (admitted.ok) {
    context.set(adminContext, admitted.value);
    return;
  }
  if (admitted.code === "unauthenticated") {
    throw redirect(signInPath(request.method === "GET" ? url : null));
  }
  throw new Response(admitted.message, { status: STATUS_OF_CODE[admitted.code] });
};

/** The sign-in's address with the way back. */
function signInPath(asked: URL | null): string {
  const path = asked ? asked.pathname + asked.search : SIGN_IN;
  return path === SIGN_IN ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ next: path })}`;
}

/** Stands for our own: an address that leads elsewhere has another origin. */
const ANY_SITE = "https://site.invalid";

/** Where to go after signing in: only pages of the admin area of this site. */
export function pathAfterSignIn(next: string | null | undefined): string {
  // What a browser makes of it: without tabs and line ends, dots and backslashes resolved.
  const url = URL.parse(next ?? "", ANY_SITE);
  const isOurs = url?.origin === ANY_SITE && /^\/admin(\/|$)/.test(url.pathname);
  return isOurs ? url.pathname + url.search : SIGN_IN;
}
