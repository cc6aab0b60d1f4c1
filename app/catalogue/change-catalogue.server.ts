/** The owner changes the catalogue: captains, packages, default times and links. */
import { type Change, change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import {
  type Catalogue,
  type Counselor,
  counselorKeyed,
  findCounselorByKey,
  findCounselorByName,
  findPackage,
  type SessionPackage,
} from "#app/model/catalogue.ts";
import { newFeedSecret, newId } from "#app/model/ids.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { type FixedMeeting, meetingAt, type Room } from "#app/model/room.ts";
import type { Db } from "#db/connection.server.ts";
import {
  deleteUnusedPortraits,
  findSampleOf,
  insertCounselor,
  readCatalogue,
  saveFeed,
  savePosition,
  updateCounselor,
  updateOfferSettings,
  updatePackage,
} from "#db/queries/catalogue.server.ts";
import {
  deleteKeptClash,
  type FutureSession,
  listFutureSessions,
} from "#db/queries/hours.server.ts";
import type { CounselorChange, NewCounselor, PackageChange } from "./fields.ts";
import { changed, given, readBookable, refuseStale } from "./read.server.ts";

type ChangeDeps = Pick<Deps, "now" | "wake"> & { db: Db };

/** Adds a captain, last in the order, with a calendar. Refusals: `in_use`, `validation_failed`. */
export function addCounselor(
  deps: ChangeDeps,
  actor: Actor,
  input: NewCounselor,
): Outcome<Counselor> {
  return change(deps, actor, ({ tx, now, log }) => {
    const { counselors } = readCatalogue(tx);
    const refusal = refuseName({ counselors }, null, input.name) ?? refusePortrait(null, input);
    if (refusal) return refusal;
    const key = counselorKey(
      input.name,
      counselors.map((one) => one.key),
    );
    const { sample: _, position: __, ...fields } = { ...EMPTY, ...given(input), ...placeOf(input) };
    insertCounselor(tx, { ...fields, key, position: counselors.length }, now);
    saveFeed(tx, { counselorKey: key, secret: newFeedSecret(), createdAt: now });
    log("counselor_add", key, { after: loggedOf(fields) });
    return success(findCounselorByKey(readCatalogue(tx), key)!);
  });
}

/**
 * Where sessions take place. Earlier bookings use the meeting, so it changes only with a room of
 * kind `link` or `phone`.
 */
function placeOf(
  { meeting, room }: Pick<NewCounselor, "meeting" | "room">,
  before?: FixedMeeting,
): Pick<Counselor, "meeting" | "room"> {
  if (room?.kind === "pattern" || room?.kind === "zoom") {
    const first = room.kind === "zoom" ? room.address : null;
    return { room, meeting: before ?? meetingAt(first) };
  }
  const link = meeting?.kind === "link" ? meeting.url : null;
  const url = !room ? link : room.kind === "link" ? room.address : null;
  const fixed: Room = url === null ? { kind: "phone" } : { kind: "link", address: url };
  return { room: fixed, meeting: meetingAt(url) };
}

/** Without the meeting: the room says where sessions take place. */
function loggedOf<T extends object>({ meeting: _, ...fields }: T & { meeting?: unknown }) {
  return fields;
}

const EMPTY = {
  description: "",
  yearsOfExperience: null,
  rating: null,
  sessions: null,
  specialties: [],
  languages: [],
  portrait: null,
  active: true,
};

export interface ChangedCounselor {
  counselor: Counselor;
  /** Future sessions of a captain who was taken off the page; they stay booked. */
  affected: FutureSession[];
}

/**
 * Fields left out stay. Refusals: `not_found`, `stale`, `in_use` (another captain's name; the last
 * captain on the page), `validation_failed`.
 */
export function changeCounselor(
  { env, ...deps }: ChangeDeps & Pick<Deps, "env">,
  actor: Actor,
  key: string,
  { version, ...input }: CounselorChange,
): Outcome<ChangedCounselor> {
  return change(deps, actor, ({ tx, now, log }) => {
    const catalogue = readCatalogue(tx);
    const found = counselorKeyed(catalogue, key);
    if (!found.ok) return found;
    const counselor = found.value;
    const refusal =
      refuseStale(counselor, version) ??
      refuseName(catalogue, key, input.name) ??
      refusePortrait(counselor.portrait, input) ??
      (input.active === false ? refuseLast(catalogue, readBookable({ db: tx, env }), key) : null);
    if (refusal) return refusal;
    const { sample, position, meeting, room, ...fields } = given(input);
    const isSample = counselor.sample && sample !== false;
    const place = meeting || room ? placeOf({ meeting, room }, counselor.meeting) : {};
    writeCounselor({ tx, now, log }, counselor, {
      ...counselor,
      ...fields,
      ...place,
      sample: isSample,
    });
    // So that taking the captain off again asks about the sessions kept before.
    if (input.active) deleteKeptClash(tx, { counselorKey: key, cause: "off" });
    if (position !== undefined && position !== counselor.position) {
      reorder(tx, catalogue, key, position);
      log("counselor_edit", key, {
        before: { position: counselor.position },
        after: { position },
      });
    }
    const sessions = input.active === false ? listFutureSessions(tx, now) : [];
    return success({
      counselor: findCounselorByKey(readCatalogue(tx), key)!,
      affected: sessions.filter(({ counselorKey }) => counselorKey === key),
    });
  });
}

/** Writes nothing if nothing changes. Deletes unused portraits. */
export function writeCounselor({ tx, now, log }: Change, before: Counselor, after: Counselor) {
  const wanted = { ...after, sample: after.sample && staysSample(tx, after) };
  const what = changed(before, wanted);
  if (!what) return;
  updateCounselor(tx, wanted, now);
  if ("portrait" in what.after) deleteUnusedPortraits(tx);
  log("counselor_edit", before.key, {
    before: loggedOf(what.before),
    after: loggedOf(what.after),
  });
}

function refuseName(
  catalogue: Pick<Catalogue, "counselors">,
  key: string | null,
  name: string | undefined,
): Failure | null {
  if (name === undefined) return null;
  const others = catalogue.counselors.filter((counselor) => counselor.key !== key);
  if (!findCounselorByName({ counselors: others }, name)) return null;
  const message = "Another captain has or had this name. Please choose another one.";
  return failure("in_use", message, { errors: { name: [message] } });
}

function refusePortrait(
  before: string | null,
  { portrait }: Pick<CounselorChange, "portrait">,
): Failure | null {
  if (portrait === undefined || portrait === null || portrait === before) return null;
  return invalid({ portrait: ["Please upload the portrait as a file"] });
}

/** Of those whom visitors can book; who is none of them may go while anybody is active. */
function refuseLast(catalogue: Catalogue, offered: Catalogue, key: string): Failure | null {
  const { counselors } = findCounselorByKey(offered, key) ? offered : catalogue;
  if (counselors.some((one) => one.active && one.key !== key)) return null;
  const message = "This is the last captain on the page. Please put another one on the page first.";
  return failure("in_use", message, { errors: { active: [message] } });
}

/** A sample captain stays one until name, e-mail and portrait have all been changed. */
function staysSample(tx: Db, { key, name, email, portrait }: Counselor): boolean {
  const first = findSampleOf(tx, key);
  return (
    first !== null && (first.name === name || first.email === email || first.portrait === portrait)
  );
}

function reorder(tx: Db, { counselors }: Catalogue, key: string, position: number): void {
  const order = counselors.map((one) => one.key).filter((one) => one !== key);
  order.splice(Math.max(0, position), 0, key);
  for (const [place, one] of order.entries()) savePosition(tx, one, place);
}

/** A new captain's key: the name's Latin letters and digits, else `captain`; numbered if taken. */
export function counselorKey(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const key = plain.slice(0, 40).replace(/-$/, "") || "captain";
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

/**
 * Fields left out stay. Unpaid bookings keep their price. Refusals: `not_found`, `stale`,
 * `in_use` (the last package on the page).
 */
export function changePackage(
  deps: ChangeDeps,
  actor: Actor,
  minutes: number,
  { version, questions, ...input }: PackageChange,
): Outcome<SessionPackage> {
  return change(deps, actor, ({ tx, log }) => {
    const catalogue = readCatalogue(tx);
    const before = findPackage(catalogue, minutes);
    if (!before) return NO_PACKAGE;
    const stale = refuseStale(before, version);
    if (stale) return stale;
    const others = catalogue.packages.filter((one) => one.active && one.minutes !== minutes);
    if (input.active === false && others.length === 0) return LAST_PACKAGE;
    const asked = questions?.map((one) => ({ ...one, id: one.id ?? newId() }));
    const wanted = { ...before, ...given(input), ...(asked && { questions: asked }) };
    const what = changed(before, wanted);
    if (!what) return success(before);
    updatePackage(tx, wanted);
    log("package_edit", `${minutes} minutes`, what);
    return success(findPackage(readCatalogue(tx), minutes)!);
  });
}

const NO_PACKAGE = failure("not_found", "There is no package of this length.");
const LAST = "This is the last package on the page. Please put another one on the page first.";
const LAST_PACKAGE = failure("in_use", LAST, { errors: { active: [LAST] } });

type Offer = Partial<Pick<Catalogue, "defaultTimes" | "links">>;

/** Changes the default times or the links. Refusal: `stale`. */
export function changeOfferSettings(
  deps: ChangeDeps,
  actor: Actor,
  input: Offer,
  version: number | undefined,
): Outcome<Catalogue> {
  return change(deps, actor, ({ tx, log }) => {
    const catalogue = readCatalogue(tx);
    const stale = refuseStale(catalogue, version);
    if (stale) return stale;
    const what = changed<Offer>(catalogue, { ...catalogue, ...input });
    if (!what) return success(catalogue);
    updateOfferSettings(tx, input);
    log(input.links ? "links_set" : "default_times_set", "catalogue", what);
    return success(readCatalogue(tx));
  });
}
