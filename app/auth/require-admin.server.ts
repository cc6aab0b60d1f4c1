/**
 * The gates of the admin's pages and calls: who is signed in, what their role may do, and what a
 * captain sees, who has access only to their own sessions and days.
 */
import {
  createContext,
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { forbid } from "#app/core/change.server.ts";
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import { type Deps, depsContext, type ReadDeps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { DAY } from "#app/model/dates.ts";
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

/** The live session, set by the gate for the routes behind it. */
export const adminContext = createContext<LiveSession>();

type Context = Readonly<RouterContextProvider>;

/** The signed-in account as an actor; only behind the gate. */
export function actorOf(context: Context): Actor & { kind: "admin" } {
  const { admin, tokenHash } = context.get(adminContext);
  const { username, role, counselorKey } = admin;
  return { kind: "admin", username, role, session: { tokenHash, counselorKey } };
}

/** Whether the role of the signed-in account has access to the subject. */
export function may(context: Context, subject: Subject): boolean {
  return mayDo(actorOf(context).role, subject);
}

/** The key of the signed-in captain; null for owners and staff, who see all captains. */
export function ownCounselor(context: Context): string | null {
  return context.get(adminContext).admin.counselorKey;
}

const UNAUTHENTICATED = failure("unauthenticated", "Please sign in.");

/**
 * The live session of a request, if its role may use the route. Refusals: `unauthenticated`,
 * `forbidden` (logged), `rate_limited` (a captain's changes of one day).
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

/** Keeps a captain's program from filling the database. */
const counters = countersByEnv({ changes: { points: 200, windowMs: DAY } });

function countChange(deps: ReadDeps, id: string): Failure | null {
  const message = "You have made 200 changes today. Please go on tomorrow, or ask an owner.";
  return takeOne(deps, counters(deps.env).changes, { about: id }, message);
}

const SIGN_IN = "/admin";

/**
 * Middleware of the gated pages. Without a live session, it redirects to the sign-in, which leads
 * back; a form is carried along (307) and back to its page. A form submitted by script gets 401,
 * and its page stays and asks to sign in. A role without access gets an error page.
 */
export const requireAdmin: MiddlewareFunction<Response> = async ({
  request,
  url,
  context,
  pattern,
}) => {
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
    const isCarried = await namesAccount(request);
    throw redirect(signInPath(isCarried ? url : null), isCarried ? 307 : 302);
  }
  throw new Response(admitted.message, { status: STATUS_OF_CODE[admitted.code] });
};

/** Whether the request is a form that names the account of its page. */
async function namesAccount(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type");
  const isText = type?.startsWith("application/x-www-form-urlencoded");
  return Boolean(isText) && (await request.formData()).has("account");
}

function signInPath(page: URL | null): string {
  const path = page ? page.pathname + page.search : SIGN_IN;
  return path === SIGN_IN ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ next: path })}`;
}

/** Stands in for this site: an address that leads elsewhere has another origin. */
const ANY_SITE = "https://site.invalid";

/** Where to go after signing in: only to admin pages of this site. */
export function pathAfterSignIn(next: string | null | undefined): string {
  // Parsed as a browser does: tabs and line ends removed, dots and backslashes resolved.
  const url = URL.parse(next ?? "", ANY_SITE);
  const isAdminPage = url?.origin === ANY_SITE && /^\/admin(\/|$)/.test(url.pathname);
  return isAdminPage ? url.pathname + url.search : SIGN_IN;
}

type Asked = Pick<LoaderFunctionArgs, "context" | "request" | "pattern">;

/** The two ids of a booking; captains are shown only the one in their calendar. */
export interface Addressed {
  id: string;
  calendarUid: string;
}

/** The id of the booking that a path means; empty where a captain has no such session. */
export function bookingIdAt(context: Asked["context"], id = ""): string {
  const own = ownCounselor(context);
  if (own === null) return id;
  return findSessionOf(context.get(depsContext).db, own, id)?.id ?? "";
}

/** The id of a session as shown to its captain (`own`) or to owners and staff (null). */
export function shownId(own: string | null, { id, calendarUid }: Addressed): string {
  return own === null ? id : calendarUid;
}

/**
 * Refuses a captain who asks for another captain's data, or for that of all (null). Refusal:
 * `forbidden`.
 */
export function refuseOthers(asked: Asked, counselorKey: string | null): Failure | null {
  const own = ownCounselor(asked.context);
  return own === null || own === counselorKey ? null : refuseAsked(asked);
}

/**
 * Refuses a captain who removes a leave of all captains (`forbidden`) or of another captain, of
 * which they must not learn (`not_found`).
 */
export function refuseOthersLeave(asked: Asked, id: string): Failure | null {
  const own = ownCounselor(asked.context);
  const leave = own === null ? null : findLeave(asked.context.get(depsContext).db, id);
  if (leave === null || leave.counselorKey === own) return null;
  return leave.counselorKey === null ? refuseAsked(asked) : NO_LEAVE;
}

/** Refuses and logs a request that the role may not make, to a route that it may use. */
export function refuseAsked({ context, request, pattern }: Asked): Failure {
  const asked = `${request.method} /${pattern.replace(/^\//, "")}`;
  return forbid(context.get(depsContext), context.get(adminContext).admin, asked);
}

/** The catalogue with the captain `own` only; with all captains for null. */
export function withinReach<T extends { counselors: readonly Counselor[] }>(
  own: string | null,
  catalogue: T,
): T {
  if (own === null) return catalogue;
  return { ...catalogue, counselors: catalogue.counselors.filter(({ key }) => key === own) };
}
