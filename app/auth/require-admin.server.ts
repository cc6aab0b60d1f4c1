/**
 * The gates of the admin's pages and calls: who is signed in, whether their role may, and how far a
 * captain reaches, who sees their own sessions and days alone.
 */

import type { LoaderFunctionArgs } from "react-router";
import {
  createContext,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { forbid } from "#app/core/change.server.ts";
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { DAY } from "#app/model/duration.ts";
import {
  type Failure,
  failure,
  NO_LEAVE,
  type Outcome,
  SIGN_IN_AGAIN,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import { findLeave } from "#db/queries/hours.server.ts";
import { mayAsk } from "./route-access.ts";
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
    const tooMany = isBounded ? countChange(deps, id) : null;
    return tooMany ?? success(session);
  }
  return forbid(deps, session.admin, `${request.method} /${pattern.replace(/^\//, "")}`);
}

/** A captain's program does not fill the file. */
const counters = countersByEnv({ changes: { points: 200, windowMs: DAY } });

function countChange(deps: Pick<Deps, "env" | "now">, id: string): Failure | null {
  const message = "You have made 200 changes today. Please go on tomorrow, or ask an owner.";
  return takeOne(deps, counters(deps.env).changes, { about: id }, message);
}

const SIGN_IN = "/admin";

/**
 * Middleware of the gated pages: without a live session the sign-in, which leads back here; a form goes
 * along to it (307) and comes back after it. For one that a script sends 401, so that its page stays
 * and signs in over itself. A page that says so where the role may not.
 */
export const requireAdmin: MiddlewareFunction<Response> = async (asked) => {
  const { request, url, context, pattern } = asked;
  const admitted = await admit(context.get(depsContext), request, pattern);
  if (admitted.ok) {
    context.set(adminContext, admitted.value);
    return;
  }
  if (admitted.code === "unauthenticated") {
    if (request.method === "GET") throw redirect(signInPath(url));
    // React Router's own name for what scripts ask for.
    if (new URL(request.url).pathname.endsWith(".data")) {
      throw new Response(SIGN_IN_AGAIN.message, { status: STATUS_OF_CODE.unauthenticated });
    }
    const isBack = await comesBack(request);
    throw redirect(signInPath(isBack ? url : null), isBack ? 307 : 302);
  }
  throw new Response(admitted.message, { status: STATUS_OF_CODE[admitted.code] });
};

/** True of a form that says whose it is. */
async function comesBack(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type");
  const isText = type?.startsWith("application/x-www-form-urlencoded");
  return Boolean(isText) && (await request.formData()).has("account");
}

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

type Asked = Pick<LoaderFunctionArgs, "context" | "request" | "pattern">;

/** What a captain knows of a session is its id in their calendar. */
export interface Addressed {
  id: string;
  calendarUid: string;
}

/** The booking that an id in a path means: of a captain's paths that of their session, else none. */
export function bookingIdAt(context: Asked["context"], id = ""): string {
  const own = ownCounselor(context);
  if (own === null) return id;
  return findSessionOf(context.get(depsContext).db, own, id)?.id ?? "";
}

/** The id of a session for its captain (`own`), else for everybody (null). */
export function shownId(own: string | null, { id, calendarUid }: Addressed): string {
  return own === null ? id : calendarUid;
}

/**
 * Refuses a captain who asks for another captain's things, or for everybody's (null). Refusal:
 * `forbidden`.
 */
export function refuseOthers(asked: Asked, counselorKey: string | null): Failure | null {
  const own = ownCounselor(asked.context);
  return own === null || own === counselorKey ? null : refuseAsked(asked);
}

/** Of removing a leave: that of all is not a captain's, and of another's they know nothing. */
export function refuseOthersLeave(asked: Asked, id: string): Failure | null {
  const own = ownCounselor(asked.context);
  const leave = own === null ? null : findLeave(asked.context.get(depsContext).db, id);
  if (leave === null || leave.counselorKey === own) return null;
  return leave.counselorKey === null ? refuseAsked(asked) : NO_LEAVE;
}

/** Where the route is open to the role, and what was asked of it is not. */
export function refuseAsked({ context, request, pattern }: Asked): Failure {
  const asked = `${request.method} /${pattern.replace(/^\//, "")}`;
  return forbid(context.get(depsContext), context.get(adminContext).admin, asked);
}

/** The catalogue with those captains alone whose days may be seen; `own` as above. */
export function withinReach<T extends { counselors: readonly Counselor[] }>(
  own: string | null,
  catalogue: T,
): T {
  if (own === null) return catalogue;
  return { ...catalogue, counselors: catalogue.counselors.filter(({ key }) => key === own) };
}
