/** Queries over bookings, times and what is kept of them, each beside rows that one condition keeps out. */
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { instantOf } from "#app/model/dates.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  deleteAppointmentRow,
  findAppointment,
  listCounselorSessions,
  listSessionsOn,
  updateAppointment,
} from "./appointments.server.ts";
import {
  deleteAvailability,
  deleteBlock,
  listLiveSessionsBetween,
  nextHoldEnd,
  readDayPlan,
  readDayPlans,
  saveAvailability,
  saveBlock,
} from "./availability.server.ts";
import { listBookingsOf } from "./customers.server.ts";
import { insertDocument } from "./documents.server.ts";
import {
  findBookingOfToken,
  findNewestHold,
  findStoredAnswer,
  insertOwnBooking,
  storeAnswer,
} from "./holds.server.ts";
import {
  deleteKeptClash,
  deleteLeave,
  findLeave,
  holdsTime,
  insertKeptClash,
  insertLeave,
  listLeave,
  releaseTime,
  takeTime,
} from "./hours.server.ts";
import { countMissingAttendance, listMissingAttendance } from "./reminders.server.ts";
import { readExportRows } from "./reports.server.ts";
import { eraseTraces } from "./retention.server.ts";

const { db, add, column, left } = storedRows();
const book = (id: string, changes = {}) => add("appointment", id, changes);
const hold = (id: string, starts_at: number, changes = {}) => {
  book(id, { starts_at });
  return add("session_time", id, { starts_at, ...changes });
};
const HALF = 1_800_000;

describe("bookings", () => {
  it("are listed of a date, of a captain and of an address", () => {
    book("late", { time_slot: "11:00", starts_at: 9 });
    book("early", { status: "rescheduled", starts_at: 8 });
    book("second", { starts_at: 7, updated_at: 5 });
    book("unpaid", { status: "pending_payment", starts_at: 20 });
    book("cancelled", { status: "cancelled", starts_at: 20 });
    book("other day", { on_date: "2026-12-02", starts_at: 20, email: "c@b.in" });
    book("other captain", { counselor_key: "rohan", starts_at: 20, email: "A@B.in" });
    book("erased", { starts_at: 30, personal_data_erased_at: 1, status: "cancelled" });
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(listSessionsOn(db(), "2026-12-01"))).toEqual([
      ...["early", "second", "other captain", "late"],
    ]);
    const ofCaptain = listCounselorSessions(db(), "asha", 8);
    expect(ids(ofCaptain.map(({ appointment }) => appointment))).toEqual([
      ...["early", "late", "other day"],
    ]);
    expect(listCounselorSessions(db(), "asha", 7)[0]?.changedAt).toBe(5);
    expect(ids(listBookingsOf(db(), { email: "a@b.IN" }, 9, 9))).toEqual([
      ...["other captain", "late", "cancelled", "unpaid"],
    ]);
    expect(ids(listBookingsOf(db(), { email: "a@b.in" }, 9, 1))).toEqual(["other captain"]);
  });

  it("that are over without attendance are a captain's or all, the latest first, up to the limit", () => {
    const ended = (id: string, at: number, changes = {}) =>
      book(id, { starts_at: at - HALF, ...changes });
    for (const n of [1, 2, 3]) ended(`asha ${n}`, n);
    ended("rohan", 4, { counselor_key: "rohan", status: "rescheduled" });
    ended("noted", 2, { attendance: "no_show" });
    ended("cancelled", 2, { status: "cancelled" });
    ended("before", 0);
    ended("after", 5);
    const all = { since: 1, until: 4 };
    const own = { ...all, counselorKey: "asha" };
    const listed = (which: typeof all, limit: number) =>
      listMissingAttendance(db(), which, limit).map(({ id }) => id);
    expect(listed(all, 9)).toEqual(["rohan", "asha 3", "asha 2", "asha 1"]);
    expect(listed(own, 2)).toEqual(["asha 3", "asha 2"]);
    const counts = [9, 3].map((atMost) => countMissingAttendance(db(), all, atMost));
    expect([...counts, countMissingAttendance(db(), own, 9)]).toEqual([4, 3, 3]);
  });

  it("come with the payment that pays them and the first invoice", () => {
    for (const id of ["x", "y"]) book(id);
    for (const outcome of ["time_gone", "second", "applied"]) {
      add("payment", outcome, { outcome, appointment_id: "x" });
    }
    add("payment", "assigned", { outcome: "assigned", appointment_id: "y" });
    const paper = (serial: number, changes = {}) =>
      insertDocument(db(), ledgerRow({ number: `AC/${serial}`, serial, ...changes }));
    paper(2, { appointmentId: "x", paymentId: "p2" });
    paper(1, { appointmentId: "x", paymentId: "p1" });
    paper(3, { appointmentId: "y", paymentId: "p3" });
    const note = { kind: "credit_note" as const, invoiceNumber: "AC/1", series: "CN" };
    paper(9, { ...note, appointmentId: "x", refundId: "s", onDate: "2026-08-02" });
    paper(0, { ...note, appointmentId: "x", refundId: "r", onDate: "2026-08-01" });
    const found = ["x", "y"].map((id) => findAppointment(db(), id));
    expect(found.map((one) => [one?.paymentId, one?.invoiceNumber])).toEqual([
      ["applied", "AC/1"],
      ["assigned", "AC/3"],
    ]);
    expect(
      readExportRows(db(), [2, 1, 9]).map((row) => [
        row.id,
        row.paymentId,
        row.invoiceNumber,
        row.creditNoteNumbers,
        row.creditNoteDate,
      ]),
    ).toEqual([
      ["y", "assigned", "AC/3", null, null],
      ["x", "applied", "AC/1", "AC/0, AC/9", "2026-08-02"],
    ]);
  });

  it("are exported with the sums of what was captured for each alone", () => {
    for (const id of ["x", "y"]) book(id);
    const paid = { appointment_id: "x", outcome: "applied", captured_at: 1 };
    add("payment", "first", { ...paid, amount_paise: 100, fee_paise: 20, fee_tax_paise: 4 });
    const second = { ...paid, outcome: "second", amount_paise: 50 };
    add("payment", "second", { ...second, fee_paise: 10, fee_tax_paise: 2 });
    add("payment", "failed", { ...second, outcome: "failed", captured_at: null });
    add("payment", "other", { ...paid, appointment_id: "y", amount_paise: 7 });
    const sums = readExportRows(db(), [1, 2]).map(({ paidPaise, feePaise, feeTaxPaise }) => [
      ...[paidPaise, feePaise, feeTaxPaise],
    ]);
    expect(sums).toEqual([
      [150, 30, 6],
      [7, null, null],
    ]);
  });

  it("are read with what is unreadable mended, and changed in what is given alone", () => {
    for (const column of ["on_date", "time_slot"]) {
      db().driver.exec(`DROP TRIGGER appointment_${column}_is_known_0`);
    }
    book("x", { on_date: "soon", time_slot: "noon", starts_at: instantOf("2026-12-05", "15:30") });
    book("half", { gstin: "g", billing_name: "n", pay_before: 1 });
    book("whole", { gstin: "g", billing_name: "n", billing_address: "a", hold_until: 1 });
    expect(findAppointment(db(), "x")).toMatchObject({ date: "2026-12-05", timeSlot: "15:30" });
    expect(findAppointment(db(), "half")).toMatchObject({ company: null, window: null });
    expect(findAppointment(db(), "whole")).toMatchObject({ window: null, company: { name: "n" } });
    const before = findAppointment(db(), "half");
    expect(before).toMatchObject({ date: "2026-12-01", timeSlot: "10:00" });
    const window = { payBefore: 5, holdUntil: 9 };
    updateAppointment(db(), "whole", 7, { window, company: null, renewals: 2 });
    expect(findAppointment(db(), "whole")).toMatchObject({ window, company: null, version: 2 });
    db().runRaw("UPDATE appointment SET client_address = 'c'");
    updateAppointment(db(), "whole", 8, { cancelReason: "by_admin" });
    expect(findAppointment(db(), "whole")).toMatchObject({ window, renewals: 2, version: 3 });
    updateAppointment(db(), "whole", 9, { window: null });
    expect(column("appointment", "client_address")).toEqual({ x: "c", half: "c", whole: null });
    expect(column("appointment", "updated_at")).toEqual({ x: 0, half: 0, whole: 9 });
    expect(findAppointment(db(), "half")).toEqual(before);
  });

  it("go with their stored answers, and leave the others'", () => {
    for (const id of ["x", "y"]) {
      book(id);
      storeAnswer(db(), { key: id, bodyHash: "h", appointmentId: id, at: 1 });
      insertOwnBooking(db(), { tokenHash: `t${id}`, appointmentId: id }, 1);
    }
    expect([findStoredAnswer(db(), "y")?.appointmentId, findBookingOfToken(db(), "ty")]).toEqual([
      ...["y", "y"],
    ]);
    expect([findStoredAnswer(db(), "z"), findBookingOfToken(db(), "z")]).toEqual([null, null]);
    eraseTraces(db(), "x");
    deleteAppointmentRow(db(), "x");
    expect([left("appointment"), left("idempotency")]).toEqual([["y"], ["y"]]);
  });
});

describe("times", () => {
  const NOW = 100;
  const START = 100 * HALF;
  const take = (id: string, window: { payBefore: number; holdUntil: number } | null = null) =>
    takeTime(db(), { ...findAppointment(db(), id)!, window }, NOW);

  it("are taken over ended holds, and no others are swept", () => {
    const ended = { held_until: NOW };
    hold("running", START - HALF / 2, { held_until: NOW + 1 });
    book("x", { starts_at: START });
    expect(take("x")).toBe(false);
    db().runRaw("UPDATE session_time SET held_until = ?", [NOW]);
    hold("touching after", START + HALF, ended);
    hold("touching before", START - 3 * HALF, ended);
    hold("other captain", START, { ...ended, counselor_key: "rohan" });
    expect(take("x", { payBefore: 1, holdUntil: 777 })).toBe(true);
    expect(column("session_time", "held_until")).toEqual({
      x: 777,
      "touching after": NOW,
      "touching before": NOW,
      "other captain": NOW,
    });
    expect([holdsTime(db(), "x", 776), holdsTime(db(), "x", 777)]).toEqual([true, false]);
    expect(take("x")).toBe(true);
    expect(holdsTime(db(), "x", 9_999)).toBe(true);
    expect(holdsTime(db(), "touching after", NOW)).toBe(false);
    releaseTime(db(), "x");
    expect(left("session_time")).not.toContain("x");
    expect(left("session_time")).toHaveLength(3);
  });

  it("are swept as far back as the longest session, and their own hold stays until replaced", () => {
    const day = { held_until: NOW, ends_at: START + 1 };
    hold("four hours", START - 8 * HALF + 1, { ...day, ends_at: START + 1 });
    book("x", { starts_at: START });
    expect(take("x")).toBe(true);
    expect(left("session_time")).toEqual(["x"]);
  });

  it("that cannot be taken leave the present one, and an invalid one is an error", () => {
    hold("x", START, { held_until: NOW });
    hold("other", START + HALF, { held_until: NOW + 1 });
    db().runRaw("UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = 'x'", [
      ...[START + HALF / 2, START + HALF + HALF / 2],
    ]);
    expect(take("x")).toBe(false);
    expect(column("session_time", "starts_at")).toMatchObject({ x: START });
    const backwards = { ...findAppointment(db(), "x")!, startsAt: 9, endsAt: 9 };
    expect(() => takeTime(db(), backwards, NOW)).toThrow("CHECK");
  });

  it("of a day's plan are the captain's, set, blocked and taken", () => {
    const [from, to] = ["2026-12-01", "2026-12-02"];
    const midnight = instantOf(from);
    for (const [i, date] of ["2026-11-30", from, to, "2026-12-03"].entries()) {
      saveAvailability(db(), "asha", date, [`0${i}:00`], 1);
      saveBlock(db(), { counselorKey: "asha", date, timeSlot: `1${i}:00`, reason: null }, 1);
    }
    saveAvailability(db(), "rohan", from, [], 1);
    saveBlock(db(), { counselorKey: "rohan", date: from, timeSlot: "20:00", reason: null }, 1);
    hold("of the evening before", midnight - 8 * HALF + 1);
    hold("of the first minute", midnight);
    hold("of the last minute", midnight + 96 * HALF - 1);
    hold("of the day after", midnight + 96 * HALF + HALF);
    hold("held", midnight + 10 * HALF, { held_until: NOW + 1 });
    hold("ended", midnight + 20 * HALF, { held_until: NOW });
    hold("other captain's", midnight + 30 * HALF, { counselor_key: "rohan" });
    hold("own", midnight + 40 * HALF);
    const span = (startsAt: number) => ({ startsAt, endsAt: startsAt + HALF });
    const first = [span(midnight), span(midnight + 10 * HALF)];
    const block = (timeSlot: string) => ({ timeSlot, reason: null });
    const usual = {
      isOff: false,
      usualTimes: DEFAULT_TIMES,
      hasHours: false,
      bufferMinutes: 0,
      leave: [],
      busy: [],
    };
    expect(readDayPlans(db(), "asha", from, to, NOW, "own")).toEqual([
      { ...usual, date: from, setTimes: ["01:00"], blocked: [block("11:00")], taken: first },
      {
        ...usual,
        date: to,
        setTimes: ["02:00"],
        blocked: [block("12:00")],
        taken: [span(midnight + 96 * HALF - 1)],
      },
    ]);
    expect(readDayPlan(db(), "asha", from, NOW).taken).toEqual([
      ...first,
      span(midnight + 40 * HALF),
    ]);
    expect(nextHoldEnd(db(), NOW)).toBe(NOW + 1);
    expect(nextHoldEnd(db(), NOW + 1)).toBeNull();
  });

  it("are set and blocked for one captain and date", () => {
    const at = { counselorKey: "asha", date: "2026-12-01", timeSlot: "10:00" };
    const block = (changes: object, reason: string | null = "leave") =>
      saveBlock(db(), { ...at, reason, ...changes }, 1);
    block({});
    block({}, null);
    block({ timeSlot: "09:00" }, null);
    block({ date: "2026-12-02" });
    block({ counselorKey: "rohan" });
    const planOf = (key: string, date: string) => readDayPlan(db(), key, date, NOW);
    const blocksOf = (key: string, date: string) =>
      planOf(key, date).blocked.map(({ timeSlot, reason }) => `${timeSlot} ${reason}`);
    expect(blocksOf("asha", "2026-12-01")).toEqual(["09:00 null", "10:00 leave"]);
    deleteBlock(db(), "asha", "2026-12-01", "10:00");
    expect(blocksOf("asha", "2026-12-01")).toEqual(["09:00 null"]);
    expect(blocksOf("asha", "2026-12-02")).toEqual(["10:00 leave"]);
    expect(blocksOf("rohan", "2026-12-01")).toEqual(["10:00 leave"]);
    const [first, second] = ["2026-12-01", "2026-12-02"];
    const times = { asha: [first, second], rohan: [first] };
    for (const [key, dates] of Object.entries(times)) {
      for (const date of dates) saveAvailability(db(), key, date, [`${date.slice(-2)}:00`], 1);
    }
    expect([second, "2026-12-03"].map((date) => planOf("asha", date).setTimes)).toEqual([
      ...[["02:00"], null],
    ]);
    expect(planOf("rohan", second).setTimes).toBeNull();
    const deleted = [1, 2].map(() => deleteAvailability(db(), "asha", first));
    expect(deleted).toEqual([true, false]);
    expect(planOf("rohan", first).setTimes).toEqual(["01:00"]);
    expect(planOf("asha", second).setTimes).toEqual(["02:00"]);
  });

  it("that are live are the captain's in their span", () => {
    hold("b", 300, { held_until: NOW + 1 });
    hold("a", 100 - HALF);
    hold("ended", 900 + HALF, { held_until: NOW });
    hold("other day", 900 + 2 * HALF);
    hold("other captain", 300, { counselor_key: "rohan" });
    db().runRaw("UPDATE appointment SET on_date = '2026-12-02' WHERE id = 'other day'");
    db().runRaw("UPDATE appointment SET counselor_key = 'rohan' WHERE id = 'other captain'");
    const day = { counselorKey: "asha", from: "2026-12-01", to: "2026-12-01" };
    const live = listLiveSessionsBetween(db(), day, NOW).map(({ id }) => id);
    expect(live).toEqual(["a", "b"]);
  });
});

it("the newest hold of an address is of that captain, day, time and address alone", () => {
  const wanted = { counselorKey: "asha", date: "2026-12-01", timeSlot: "10:00" };
  const sought = { ...wanted, clientAddress: "203.0.113.7", since: 100 };
  const hold = (id: string, changes = {}) =>
    add("appointment", id, {
      status: "pending_payment",
      client_address: "203.0.113.7",
      created_at: 100,
      ...changes,
    });
  hold("own");
  hold("of another captain", { counselor_key: "rohan" });
  hold("of another day", { on_date: "2026-12-02" });
  hold("of another time", { time_slot: "11:00" });
  hold("paid", { status: "confirmed" });
  hold("of another address", { client_address: "203.0.113.8" });
  hold("too old", { created_at: 99 });
  expect(findNewestHold(db(), sought)).toBe("own");
  hold("newer");
  expect(findNewestHold(db(), sought)).toBe("newer");
});

it("leave is listed from the days that are not over on, the earliest first", () => {
  const put = (id: string, from: string, to: string, counselorKey: string | null) =>
    insertLeave(db(), { id, counselorKey, from, to, reason: null }, 1);
  put("over", "2026-11-01", "2026-11-30", "asha");
  put("later", "2026-12-05", "2026-12-06", "asha");
  put("ends", "2026-11-20", "2026-12-01", null);
  put("other", "2026-12-02", "2026-12-02", "rohan");
  const ids = (key?: string) => listLeave(db(), "2026-12-01", key).map(({ id }) => id);
  expect([ids(), ids("asha"), ids("rohan")]).toEqual([
    ["ends", "other", "later"],
    ["ends", "later"],
    ["ends", "other"],
  ]);
  deleteLeave(db(), "other");
  expect([findLeave(db(), "other"), findLeave(db(), "over")?.id]).toEqual([null, "over"]);
});

it("what is kept on purpose goes by captain and cause, of one session or of all", () => {
  const keep = (id: string, counselorKey: string, cause: string) => {
    book(id, { counselor_key: counselorKey });
    insertKeptClash(db(), { id, counselorKey, startsAt: 0, cause, by: "admin" }, 1);
  };
  const kept = () =>
    db()
      .allRaw<{ id: string }>("SELECT appointment_id AS id FROM kept_clash ORDER BY id")
      .map(({ id }) => id);
  keep("a", "asha", "off");
  keep("b", "asha", "off");
  keep("c", "asha", "hours");
  keep("d", "rohan", "off");
  deleteKeptClash(db(), { counselorKey: "asha", cause: "off", id: "a" });
  expect(kept()).toEqual(["b", "c", "d"]);
  deleteKeptClash(db(), { counselorKey: "asha", cause: "off" });
  expect(kept()).toEqual(["c", "d"]);
});
