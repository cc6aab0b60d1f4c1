/** Redirects captains into the room of their own session as its host; the link is not stored. */
import { href, redirect } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { OutsideError } from "#app/core/services.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { makeAnew } from "#app/session-rooms/room-queue.server.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import { findRoomOf } from "#db/queries/session-rooms.server.ts";
import type { Route } from "./+types/session-host";

export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const { counselorKey } = context.get(adminContext).admin;
  const session = findSessionOf(deps.db, counselorKey ?? "", params.id);
  const room = session?.roomUrl && findRoomOf(deps.db, session.id);
  if (!deps.rooms || !room || room.fellBackAt !== null) throw notFound();
  const { roomKey, meetingId } = room;
  const back = href("/admin/sessions/:id", params);
  try {
    const link = meetingId && (await deps.rooms.hostLink(meetingId));
    if (link) return redirect(link);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    deps.log.warn({ code: error.code }, "a host's link was not given");
    return goOn(deps, back, NO_ANSWER);
  }
  if (session.endsAt <= deps.now()) throw notFound();
  if (meetingId) makeAnew(deps, roomKey, meetingId);
  return goOn(deps, back, DELETED);
}

const notFound = () => new Response("Not Found", { status: 404 });

const NO_ANSWER = {
  title: "Zoom Did Not Answer",
  description: "Try again, or sign in at Zoom and open the session’s link: you are its host there.",
  variant: "destructive",
} as const;

const DELETED = {
  title: "Deleted at Zoom",
  description: "The meeting is no longer there. A new link is on its way to you and the customer.",
  variant: "destructive",
} as const;
