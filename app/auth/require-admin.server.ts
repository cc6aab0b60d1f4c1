/** The gates of the admin's pages and calls: who is signed in, and whether their role may. */
import {
  createContext,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { type Actor, accountNamed } from "#app/model/actor.ts";
import { DAY } from "#app/model/duration.ts";
import {
  type Failure,
  FORBIDDEN,
  failure,
  type Outcome,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { mayAsk, mayDo, type Subject } from "./roles.ts";
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
  return forbid(deps, session, `${request.method} /${pattern.replace(/^\//, "")}`);
}

/** A person who tries again and again fills no log, nor a captain's program the file. */
const counters = countersByEnv({
  forbidden: { points: 30, windowMs: DAY },
  changes: { points: 200, windowMs: DAY },
});

function countChange({ env, now }: Pick<Deps, "env" | "now">, id: string): Failure | null {
  const message = "You have made 200 changes today. Please go on tomorrow, or ask an owner.";
  return takeOne(counters(env).changes, { about: id }, now(), message);
}

/** `asked` names what was asked for, and nobody. */
export function forbid(
  deps: Pick<Deps, "db" | "env" | "now">,
  { admin }: LiveSession,
  asked: string,
): Failure {
  const now = deps.now();
  const { forbidden } = counters(deps.env);
  if ("count" in forbidden.take({ about: admin.id }, now)) {
    const after = { asked };
    logActivity(deps.db, { at: now, ...accountNamed(admin), action: "forbidden", after });
  }
  return FORBIDDEN;
}

/** What page and call of a cancellation say that was asked for. */
export const CHOSEN_REFUND = "cancelling with a part or nothing refunded";

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
