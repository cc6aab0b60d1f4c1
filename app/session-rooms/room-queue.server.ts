/**
 * The queue of rooms that another server makes: made once, moved and deleted with their bookings. What
 * was asked without an answer is looked up by the room's key before it is asked again, and once more
 * later, since the other server may be slow.
 */
import { BACKOFF } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Failed, LEASE_MS, type Queue, runQueue } from "#app/core/queue.server.ts";
import { type MadeRoom, OutsideError, type RoomServer, UNANSWERED } from "#app/core/services.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { MINUTE } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { FALLBACK_BEFORE, NO_ROOM } from "#app/model/room.ts";
import { changePlace } from "#app/notifications/place.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import {
  deleteRoom,
  endRoom,
  findRoom,
  insertRoom,
  leaseDueRooms,
  type SessionRoom,
  updateHeldRoom,
  updateRoom,
} from "#db/queries/session-rooms.server.ts";

/** So long after a question without an answer the other server has done it or never will. */
const SETTLED_AFTER = 10 * MINUTE;

/** When the captain's fallback link takes the place of a room that could not be made. */
function fallbackAt(startsAt: number, askedAt: number): number {
  return Math.max(startsAt - FALLBACK_BEFORE, askedAt + 10 * MINUTE);
}

type RoomDeps = Pick<Deps, "db" | "env" | "now" | "log" | "wake" | "rooms">;

/** Works on what is due, sessions' rooms before those that are to be deleted. */
export function runRooms(deps: RoomDeps, signal?: AbortSignal): Promise<number> {
  const rooms: Queue<SessionRoom> = {
    name: "session rooms",
    keyOf: ({ roomKey }) => roomKey,
    attemptsOf: ({ attempts }) => attempts,
    backoff: BACKOFF.room,
    // Short, so that a room in hand at a crash is taken up soon.
    leaseMs: LEASE_MS,
    most: 20,
    take: (due) => leaseDueRooms(deps.db, due),
    renew(room, leaseUntil) {
      const isHeld = updateHeldRoom(deps.db, room, { leaseUntil });
      if (isHeld) room.leaseUntil = leaseUntil;
      return isHeld;
    },
    work: async (room, stop) => {
      await workOn(deps, room, stop);
      inTransaction(deps.db, (tx) => finish(tx, room, deps.now()));
    },
    putOff: (tx, room, failed) => putOff(tx, room, failed),
  };
  return runQueue(deps, rooms, signal);
}

function sessionOf(db: Db, { appointmentId }: SessionRoom): Appointment | null {
  return appointmentId === null ? null : findAppointment(db, appointmentId);
}

async function workOn(deps: RoomDeps, room: SessionRoom, signal: AbortSignal): Promise<void> {
  const { db, rooms } = deps;
  const session = sessionOf(db, room);
  const now = deps.now();
  if (!session) return remove(deps, room, signal);
  const isLate = now >= fallbackAt(session.startsAt, room.createdAt);
  if (room.meetingId === null && (isLate || !rooms)) return fallBack(deps, room, session);
  if (room.unsureSince === null && isDone(room, session, now)) return;
  if (!rooms) throw notConfigured();
  if (room.unsureSince !== null) {
    const [first, ...others] = await found(rooms, room, signal);
    const kept = room.meetingId ?? first?.id;
    for (const { id } of [first, ...others].filter((one) => one !== undefined)) {
      if (id !== kept) await rooms.remove(id, signal);
    }
    const isSettled = now - room.unsureSince >= SETTLED_AFTER;
    if (isSettled) updateHeldRoom(db, room, { unsureSince: null });
    if (room.meetingId === null && first) return keep(deps, room, first, null);
  }
  if (room.meetingId === null) return make(deps, rooms, room, session, signal);
  if (isDone(room, session, now)) return;
  const { startsAt, minutes } = session;
  const isThere = await rooms.move(room.meetingId, startsAt, minutes, signal);
  // Somebody has deleted it there: another one is made.
  updateHeldRoom(db, room, isThere ? { madeFor: startsAt } : { meetingId: null });
}

/** Its meeting was deleted there: another one, or in time the fallback link, takes its place. */
export function makeAnew(
  { db, now, wake }: Pick<RoomDeps, "db" | "now" | "wake">,
  roomKey: string,
  meetingId: string,
): void {
  inTransaction(db, (tx) => {
    // Another one may have been made meanwhile.
    if (findRoom(tx, roomKey)?.meetingId !== meetingId) return;
    const at = now();
    updateRoom(tx, roomKey, { meetingId: null, createdAt: at, nextTryAt: at, attempts: 0 });
  });
  wake();
}

/** The meeting is there, for the session's time; one that has begun is moved no more. */
function isDone({ meetingId, madeFor }: SessionRoom, { startsAt }: Appointment, now: number) {
  return meetingId !== null && (madeFor === startsAt || startsAt <= now);
}

function notConfigured(): OutsideError {
  return new OutsideError("not configured", "Zoom’s account is not configured.", true);
}

function found(rooms: RoomServer, { host, roomKey }: SessionRoom, signal: AbortSignal) {
  return host === null ? [] : rooms.find(host, roomKey, signal);
}

/** That it is being asked for is stored before, so that a killed process's room is found. */
async function make(
  deps: RoomDeps,
  rooms: RoomServer,
  room: SessionRoom,
  { counselorEmail, startsAt, minutes }: Appointment,
  signal: AbortSignal,
): Promise<void> {
  const { db, env, now } = deps;
  const { roomKey: key, unsureSince } = room;
  const host = unsureSince === null ? counselorEmail : room.host;
  if (host === null) throw new OutsideError("no host", "The captain has no address.", true);
  if (!updateHeldRoom(db, room, { host, unsureSince: now() })) return;
  const title = `${env.brand.name}: session`;
  try {
    const made = await rooms.make(host, { key, title, startsAt, minutes }, signal);
    keep(deps, room, made, startsAt);
  } catch (error) {
    const isRefused = error instanceof OutsideError && error.code !== UNANSWERED;
    if (isRefused) updateHeldRoom(db, room, { unsureSince });
    throw error;
  }
}

/**
 * The booking has its room, unless it has ended meanwhile. `madeFor` null: for an unknown start. What
 * was made here after the lease was lost is looked up, and deleted if another process made one too.
 */
function keep(
  { db, env, now, wake }: RoomDeps,
  room: SessionRoom,
  { id, joinUrl }: MadeRoom,
  madeFor: number | null,
): void {
  const { roomKey, unsureSince } = room;
  inTransaction(db, (tx) => {
    const at = now();
    if (!updateHeldRoom(tx, room, { meetingId: id, madeFor, unsureSince })) {
      return updateRoom(tx, roomKey, { unsureSince: at, nextTryAt: at });
    }
    const session = sessionOf(tx, findRoom(tx, roomKey)!);
    if (!session) return;
    const isFirst = session.roomUrl === null;
    changePlace(tx, env, session.id, at, { roomUrl: joinUrl, isFirst });
  });
  wake();
}

/** A row of its own says so; what may still come of this one is deleted. */
function fallBack(
  { db, env, now, wake }: RoomDeps,
  { roomKey }: SessionRoom,
  session: Appointment,
): void {
  inTransaction(db, (tx) => {
    const at = now();
    const { id } = session;
    // It may have ended meanwhile, or have gone to another captain.
    if (findRoom(tx, roomKey)?.appointmentId !== id) return;
    const captain = findCounselorByKey(readCatalogue(tx), session.counselorKey);
    const link = captain?.room.kind === "zoom" ? captain.room.address : null;
    endRoom(tx, id, at);
    insertRoom(tx, { roomKey: newId(), appointmentId: id, fellBackAt: at, createdAt: at });
    const place = link === null ? NO_ROOM : { roomKind: "link" as const, roomUrl: link };
    // The link is no room of their own, so these are not the words of a first one.
    changePlace(tx, env, id, at, place);
  });
  wake();
}

async function remove(deps: RoomDeps, room: SessionRoom, signal: AbortSignal): Promise<void> {
  const { db, rooms } = deps;
  const { roomKey, meetingId, unsureSince } = room;
  if (rooms) {
    const unsure = unsureSince === null ? [] : await found(rooms, room, signal);
    const ids = new Set([...(meetingId ? [meetingId] : []), ...unsure.map(({ id }) => id)]);
    for (const id of ids) await rooms.remove(id, signal);
  } else if (meetingId !== null || unsureSince !== null) {
    throw notConfigured();
  }
  if (unsureSince === null || deps.now() - unsureSince >= SETTLED_AFTER) deleteRoom(db, roomKey);
  else updateHeldRoom(db, room, { meetingId: null });
}

/** By the row as it is now: its booking may have moved or ended meanwhile. */
function finish(tx: Db, { roomKey, leaseUntil }: SessionRoom, now: number): void {
  const room = findRoom(tx, roomKey);
  if (!room || room.leaseUntil !== leaseUntil) return;
  const nextTryAt = nextLook(room, sessionOf(tx, room), now);
  updateRoom(tx, roomKey, { leaseUntil: null, attempts: 0, lastError: null, nextTryAt });
}

function nextLook(room: SessionRoom, session: Appointment | null, now: number): number | null {
  const settled = room.unsureSince === null ? null : room.unsureSince + SETTLED_AFTER;
  if (room.fellBackAt !== null) return null;
  if (!session) return room.meetingId === null ? (settled ?? 0) : 0;
  return isDone(room, session, now) ? settled : 0;
}

function putOff(tx: Db, { roomKey, leaseUntil }: SessionRoom, failed: Failed): void {
  const room = findRoom(tx, roomKey);
  if (!room || room.leaseUntil !== leaseUntil) return;
  const session = sessionOf(tx, room);
  const isAwaited = session !== null && room.meetingId === null;
  const last = isAwaited ? fallbackAt(session.startsAt, room.createdAt) : Number.MAX_SAFE_INTEGER;
  const { attempts, lastError } = failed;
  const nextTryAt = Math.min(failed.nextTryAt ?? failed.now, last);
  updateRoom(tx, roomKey, { leaseUntil: null, attempts, lastError, nextTryAt });
}
