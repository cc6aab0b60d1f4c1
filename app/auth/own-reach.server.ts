/**
 * How far a captain reaches: their own sessions, under ids that are no booking's, and their own days.
 * To everybody else all of this is as it was asked for.
 */
import type { LoaderFunctionArgs } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { forbid } from "#app/core/forbid.server.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { type Failure, NO_LEAVE } from "#app/model/outcome.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import { findLeave } from "#db/queries/hours.server.ts";
import { adminContext, ownCounselor } from "./require-admin.server.ts";

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

/** Null unless a captain asks for what is another's, or of all (null). Refusal: `forbidden`. */
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
