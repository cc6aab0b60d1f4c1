/** Queries over what surrounds a session, each beside rows that one of its conditions alone keeps out. */
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  listCallingForHelp,
  listHelpCalls,
  saveAsked,
  settleHelpCall,
} from "./help-calls.server.ts";
import { findPlan, listWithoutPlan, savePlan } from "./plans.server.ts";
import {
  askGuardianBy,
  findAnswers,
  findGuardian,
  findGuardianByToken,
  forgetConfirmation,
  listUnconfirmed,
  saveAnswers,
  saveConfirmation,
} from "./preparation.server.ts";
import {
  countRatings,
  eraseRating,
  findRating,
  findRatingOfToken,
  giveRating,
  hideRating,
  listRatings,
  listToRate,
  sumRatings,
} from "./ratings.server.ts";
import {
  deleteRoom,
  endRoom,
  findRoom,
  findRoomOf,
  insertRoom,
  leaseDueRooms,
  listFallenBack,
  lookUpRooms,
  updateHeldRoom,
  updateRoom,
} from "./session-rooms.server.ts";

const { db, add, column, left } = storedRows();
const book = (id: string, changes = {}) => add("appointment", id, changes);
const room = (id: string, changes = {}) => add("session_room", id, changes);
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
/** A session that ends at this instant. */
const until = (endsAt: number) => ({ starts_at: endsAt - 30 * MINUTE });

describe("rooms", () => {
  it("are queued whatever was written of the room before", () => {
    insertRoom(db(), { roomKey: "fallen back", fellBackAt: 5, createdAt: 5 });
    insertRoom(db(), { roomKey: "to make", nextTryAt: 7, createdAt: 5 });
    expect(column("session_room", "next_try_at")).toEqual({ "fallen back": null, "to make": 7 });
  });

  it("are due while nobody works on them, those of a booking first, up to the limit", () => {
    room("due", { next_try_at: 9 });
    room("waited longer", { next_try_at: 8 });
    room("to delete", { next_try_at: 1, appointment_id: null });
    room("lease over", { next_try_at: 10, lease_until: 10 });
    room("leased", { next_try_at: 9, lease_until: 11 });
    room("later", { next_try_at: 11 });
    room("done");
    const lease = (limit: number) =>
      leaseDueRooms(db(), { now: 10, leaseUntil: 20, limit }).map(({ roomKey }) => roomKey);
    expect(lease(3).sort()).toEqual(["due", "lease over", "waited longer"]);
    expect(lease(9)).toEqual(["to delete"]);
    expect(column("session_room", "lease_until")).toMatchObject({
      due: 20,
      leased: 11,
      later: null,
    });
  });

  it("are one booking's, and change only while the lease is held", () => {
    room("a", { lease_until: 5 });
    room("b", { lease_until: 5 });
    expect(updateHeldRoom(db(), { roomKey: "a", leaseUntil: 4 }, { attempts: 1 })).toBe(false);
    expect(updateHeldRoom(db(), { roomKey: "a", leaseUntil: 5 }, { attempts: 2 })).toBe(true);
    updateRoom(db(), "b", { host: "b@b.in" });
    expect(findRoom(db(), "a")).toMatchObject({ attempts: 2, host: null });
    expect(findRoom(db(), "b")).toMatchObject({ attempts: 0, host: "b@b.in" });
    expect(findRoomOf(db(), "b")?.roomKey).toBe("b");
    endRoom(db(), "a", 7);
    expect([findRoomOf(db(), "a"), findRoomOf(db(), "b")?.roomKey]).toEqual([null, "b"]);
    expect(column("session_room", "next_try_at")).toEqual({ a: 7, b: null });
    deleteRoom(db(), "a");
    expect(left("session_room")).toEqual(["b"]);
  });

  it("that fell back are shown while their session is paid and to come, the next first", () => {
    const fallen = (id: string, changes: object) => {
      book(id, changes);
      room(id, { fell_back_at: 1 });
    };
    fallen("later", { starts_at: 30 });
    fallen("next", { ...until(11), status: "rescheduled" });
    fallen("over", until(10));
    fallen("cancelled", { starts_at: 20, status: "cancelled" });
    book("made", { starts_at: 20 });
    room("made");
    expect(listFallenBack(db(), 10, 9)).toEqual(["next", "later"]);
    expect(listFallenBack(db(), 10, 1)).toEqual(["next"]);
  });

  it("are looked up after a restore, unless they are known or fell back", () => {
    for (const id of ["asked", "new", "made", "fallen"]) book(id);
    book("of rohan", { counselor_key: "rohan" });
    room("asked", { host: "old@b.in", lease_until: 9 });
    room("new");
    room("of rohan");
    room("made", { meeting_id: "1" });
    room("fallen", { fell_back_at: 1 });
    db().runRaw("UPDATE counselor SET email = key || '@b.in'");
    lookUpRooms(db(), 5);
    const unsure = { asked: 5, new: 5, "of rohan": 5, made: null, fallen: null };
    expect(column("session_room", "unsure_since")).toEqual(unsure);
    expect(column("session_room", "host")).toMatchObject({
      asked: "old@b.in",
      new: "asha@b.in",
      "of rohan": "rohan@b.in",
    });
    expect(column("session_room", "lease_until")).toMatchObject({ asked: null });
  });
});

describe("calls for help", () => {
  const call = (id: string, changes = {}) => add("help_call", id, changes);

  it("are those of one booking at the time it has now", () => {
    for (const id of ["a", "b"]) book(id);
    call("a", { called_at: 1 });
    call("a", { side: "captain", called_at: 2 });
    call("a", { starts_at: 9, called_at: 3 });
    call("b", { called_at: 4 });
    const of = (id: string) => listHelpCalls(db(), { id, startsAt: 0 });
    const calledAt = (id: string) => of(id).map((one) => one.calledAt);
    expect([calledAt("a"), calledAt("b")]).toEqual([[1, 2], [4]]);
    settleHelpCall(db(), { id: "a", startsAt: 0 }, "customer", 5);
    expect([of("a"), of("b")].flat().map((one) => one.settledAt)).toEqual([5, null, null]);
    expect(listHelpCalls(db(), { id: "a", startsAt: 9 })[0]?.settledAt).toBeNull();
    saveAsked(db(), { id: "a", startsAt: 0 }, { asks: "move", date: "2026-12-02", timeSlot: "9" });
    expect(of("a")[0]).toMatchObject({ settledAt: null, asks: "move", askedDate: "2026-12-02" });
    saveAsked(db(), { id: "a", startsAt: 0 }, { asks: "refund" });
    expect(of("a")[0]).toMatchObject({ asks: "refund", askedDate: null, askedTime: null });
    expect([of("a")[1]?.asks, of("b")[0]?.asks]).toEqual([null, null]);
  });

  it("wait for staff while open, of a paid session that was not moved; once for both sides", () => {
    for (const id of ["first", "second", "asking"]) book(id);
    call("second", { called_at: 2 });
    call("first", { called_at: 1 });
    call("first", { side: "captain", called_at: 3 });
    call("asking", { called_at: 9, asks: "refund" });
    book("settled");
    call("settled", { settled_at: 1 });
    book("moved", { starts_at: 5 });
    call("moved");
    book("cancelled", { status: "cancelled" });
    call("cancelled");
    expect(idsOf(listCallingForHelp(db(), 9))).toEqual(["asking", "first", "second"]);
    expect(idsOf(listCallingForHelp(db(), 1))).toEqual(["asking"]);
  });
});

describe("plans", () => {
  it("are missing after a captain's completed sessions, the latest first", () => {
    const at = 20_000 * DAY;
    const held = (id: string, changes = {}) =>
      book(id, { attendance: "completed", on_date: "2024-10-04", ...until(at), ...changes });
    held("first");
    held("last", { ...until(at + 9), status: "rescheduled" });
    held("drafted", until(at + 5));
    add("plan", "drafted");
    held("sent");
    add("plan", "sent", { sent_at: 1, starts_at: until(at).starts_at });
    held("moved since", until(at + 1));
    add("plan", "moved since", { sent_at: 1, starts_at: until(at).starts_at });
    held("too old", until(at - 1));
    held("to come", until(at + 10));
    held("other", { counselor_key: "rohan" });
    held("missed", { attendance: "no_show" });
    held("not noted", { attendance: null });
    held("cancelled", { status: "cancelled" });
    held("erased", { personal_data_erased_at: 1 });
    const missing = (limit: number) =>
      listWithoutPlan(db(), { counselorKey: "asha", since: at, until: at + 9 }, limit);
    expect(idsOf(missing(9))).toEqual(["last", "drafted", "moved since", "first"]);
    expect(idsOf(missing(2))).toEqual(["last", "drafted"]);
  });

  it("are saved for one booking, with a version that grows", () => {
    for (const id of ["a", "b"]) book(id);
    const session = (id: string, counselorKey = "asha") => ({ id, counselorKey, startsAt: 3 });
    for (const id of ["a", "b", "a"]) savePlan(db(), session(id), { text: id, sentAt: null }, 1);
    savePlan(db(), session("b", "rohan"), { text: "B", sentAt: 5 }, 2);
    const of = (id: string) => findPlan(db(), id);
    expect(of("a")).toMatchObject({ text: "a", sentAt: null, version: 2, startsAt: 3 });
    expect(of("b")).toMatchObject({ text: "B", sentAt: 5, version: 2 });
    expect([of("a"), of("b")].map((plan) => plan?.counselor)).toEqual([ASHA, ROHAN]);
    expect(findPlan(db(), "c")).toBeNull();
  });
});

describe("guardians and answers", () => {
  it("are one booking's; what was confirmed first stays, until it was for another name", () => {
    for (const id of ["a", "b"]) book(id);
    for (const id of ["a", "b"]) askGuardianBy(db(), id, `old ${id}`);
    askGuardianBy(db(), "a", "new a");
    const of = (token: string) => findGuardianByToken(db(), token)?.appointmentId;
    expect([of("old a"), of("new a"), of("old b")]).toEqual([undefined, "a", "b"]);
    saveConfirmation(db(), "a", { at: 1, relation: "mother", words: "yes" });
    saveConfirmation(db(), "a", { at: 2, relation: "father", words: "no" });
    const at = (id: string) => findGuardian(db(), id)?.confirmedAt;
    expect([at("a"), at("b"), at("c")]).toEqual([1, null, undefined]);
    saveConfirmation(db(), "b", { at: 3, relation: "mother", words: "yes" });
    forgetConfirmation(db(), "a");
    expect([at("a"), at("b")]).toEqual([null, 3]);
    const answers = [{ id: "q", label: "Class?", answer: "12" }];
    saveAnswers(db(), "a", answers, 1);
    expect([findAnswers(db(), "a"), findAnswers(db(), "b")]).toEqual([answers, []]);
  });

  it("are missing where a student under 18 has a paid session between two instants", () => {
    const minor = (id: string, changes = {}) =>
      book(id, { starts_at: 20, student_under_18: 1, student_name: "S", ...changes });
    minor("last");
    minor("asked", { starts_at: 11, status: "rescheduled" });
    add("guardian", "asked");
    minor("confirmed");
    add("guardian", "confirmed", { confirmed_at: 1, words: "yes" });
    minor("begun", { starts_at: 10 });
    minor("too far", { starts_at: 21 });
    minor("cancelled", { status: "cancelled" });
    minor("of age", { student_under_18: 0 });
    const missing = (limit: number) => listUnconfirmed(db(), { after: 10, until: 20 }, limit);
    expect(idsOf(missing(9))).toEqual(["asked", "last"]);
    expect(idsOf(missing(1))).toEqual(["asked"]);
  });
});

describe("ratings", () => {
  const rate = (id: string, stars: number | null, changes = {}) =>
    add("rating", id, { stars, rated_at: stars === null ? null : 1, ...changes });

  it("are asked for once, after a completed session, when its attendance has stood for a while", () => {
    const held = (id: string, changes = {}) =>
      book(id, { attendance: "completed", ...until(20), ...changes });
    held("last", { status: "rescheduled" });
    held("first", until(10));
    held("too old", until(9));
    held("too new", until(21));
    held("missed", { attendance: "no_show" });
    held("cancelled", { status: "cancelled" });
    held("erased", { personal_data_erased_at: 1 });
    held("asked");
    rate("asked before", null, { appointment_id: "asked" });
    held("just noted");
    add("activity", "just noted", { action: "attendance", at: 21 });
    add("activity", "last", { action: "attendance", at: 20 });
    add("activity", "first", { action: "edit", at: 21 });
    const due = (limit: number) => listToRate(db(), { since: 10, until: 20 }, limit);
    expect([due(9), due(1)]).toEqual([["first", "last"], ["first"]]);
  });

  it("count for their captain, hidden or not, and are listed newest first without those taken back", () => {
    for (const id of ["a", "b"]) book(id);
    rate("old", 5, { text: "Good", shown: 1, appointment_id: "a" });
    rate("new", 4, { rated_at: 2, text: "Own", appointment_id: "b" });
    rate("other", 1, { counselor_key: "rohan", rated_at: 3, text: "Late", shown: 1 });
    rate("withdrawn", null);
    expect(idsOf(listRatings(db(), { limit: 9 }))).toEqual(["other", "new", "old"]);
    expect(idsOf(listRatings(db(), { limit: 1, offset: 1 }))).toEqual(["new"]);
    expect(idsOf(listRatings(db(), { counselorKey: "asha", limit: 9 }))).toEqual(["new", "old"]);
    expect(countRatings(db())).toBe(3);
    hideRating(db(), "old", "abuse");
    expect(column("rating", "hidden")).toMatchObject({ old: "abuse", new: null });
    hideRating(db(), "new", "abuse");
    expect(sumRatings(db(), "asha")).toEqual({ count: 2, stars: 9, hidden: 1 });
    // Without a text nothing is hidden of it.
    rate("wordless", 2, { counselor_key: "rohan", shown: 1, hidden: "abuse" });
    expect(sumRatings(db(), "rohan")).toEqual({ count: 2, stars: 3, hidden: 0 });
    giveRating(db(), "old", { stars: null, text: null, shown: false }, 9);
    expect([findRating(db(), "old")?.ratedAt, findRating(db(), "new")?.stars]).toEqual([null, 4]);
    expect(findRatingOfToken(db(), "new")?.id).toBe("new");
  });

  it("stay without their words once the booking goes; one never given is deleted", () => {
    for (const id of ["a", "b", "c"]) book(id);
    rate("given", 4, { text: "Good", shown: 1, hidden: "abuse", appointment_id: "a" });
    rate("asked", null, { appointment_id: "b" });
    rate("other", 3, { text: "Fine", shown: 1, appointment_id: "c" });
    book("d");
    rate("also asked", null, { appointment_id: "d" });
    for (const id of ["a", "b"]) eraseRating(db(), id);
    expect(column("rating", "stars")).toEqual({ given: 4, other: 3, "also asked": null });
    expect(column("rating", "text")).toEqual({ given: null, other: "Fine", "also asked": null });
    expect(column("rating", "token_hash")).toEqual({
      given: null,
      other: "other",
      "also asked": "also asked",
    });
    expect(column("rating", "shown")).toEqual({ given: 0, other: 1, "also asked": 0 });
  });
});
