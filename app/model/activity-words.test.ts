import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ActivityAction, type ActivityData, activityLabel } from "./activity.ts";
import { activityLine, activityWords } from "./activity-words.ts";
import type { Role } from "./actor.ts";
import { MASTER_TIMES } from "./day-plan.ts";

const nameOf = (key: string) => ({ asha: "Capt. Asha", rohan: "Capt. Rohan" })[key];
const ID = "abcdefghijkmnpqrstuvwxyz23";

interface Given {
  before?: ActivityData;
  after?: ActivityData;
  target?: string;
}

const words = (action: ActivityAction, { before, after, target = ID }: Given = {}) =>
  activityWords({ action, target, before: before ?? null, after: after ?? null }, nameOf);

const day = { "2026-11-12": ["10:00"] };
const times = { timeSlots: ["08:00", "14:30"] };
const week = { mon: ["10:00", "14:00"], tue: [], wed: [], thu: [], fri: ["08:30"], sat: [] };

/** One of each action, as its operation logs it. */
const LINES: Record<ActivityAction, [given: Given, words: string]> = {
  login: [{ after: { address: "10.1.2.3" } }, "Signed in: address 10.1.2.3"],
  login_failed: [{ after: { address: "10.1.2.3" } }, "Sign-in failed: address 10.1.2.3"],
  logout: [{}, "Signed out"],
  reschedule: [
    {
      before: { date: "2026-11-12", timeSlot: "10:00", status: "confirmed" },
      after: { date: "2026-11-13", timeSlot: "11:00", status: "rescheduled" },
    },
    "Session moved from 12 Nov 2026, 10:00 AM to 13 Nov 2026, 11:00 AM IST",
  ],
  cancel: [
    { before: { status: "confirmed" }, after: { status: "cancelled", refund: 1179 } },
    "Appointment cancelled: status from Confirmed to Cancelled; refund ₹1,179",
  ],
  delete: [
    {
      before: {
        ...{ counselor: "Capt. Asha", date: "2026-11-12", timeSlot: "10:00" },
        ...{ status: "pending_payment", invoiceNumber: "AC/26-27/00001" },
      },
    },
    "Appointment deleted: captain Capt. Asha; date 12 Nov 2026; time 10:00 AM; status Pending Payment; invoice AC/26-27/00001",
  ],
  customer_data: [{}, "Customer's data downloaded"],
  customer_erase: [{ after: { sessions: 3 } }, "Customer erased: sessions 3"],
  edit: [
    { before: { name: "Mira", notes: null }, after: { name: "Meera", notes: "Can I fly?" } },
    "Contact corrected: name from “Mira” to “Meera”; notes from none to “Can I fly?”",
  ],
  rating_hide: [
    { before: { hidden: null }, after: { hidden: "abuse" } },
    "Rating hidden or shown: hidden from none to abuse",
  ],
  help_call: [{ after: { missing: "captain" } }, "Help called at the hour: not there: the captain"],
  help_ask: [{ after: { askedFor: "refund" } }, "Asked for at the hour: all money back"],
  help_settle: [
    { after: { settled: "moved", askedFor: "move 2026-11-12 09:00" } },
    "Help at the hour settled: moved; another time, 12 Nov 2026, 9:00 AM",
  ],
  plan_save: [{}, "Plan saved"],
  plan_send: [{}, "Plan sent"],
  slots_set: [
    { target: "asha 2026-11-12", before: { "2026-11-12": "default" }, after: times },
    "Availability set on 12 Nov 2026: 8:00 AM, 2:30 PM",
  ],
  slots_reset: [
    { target: "asha 2026-11-12 to 2026-11-14", before: day, after: { timeSlots: "default" } },
    "Back to usual times on 12 Nov 2026 to 14 Nov 2026",
  ],
  block: [
    { target: "asha 2026-11-12", before: day, after: { ...times, reason: "Line check" } },
    "Times blocked on 12 Nov 2026: 8:00 AM, 2:30 PM; reason “Line check”",
  ],
  unblock: [
    { target: "asha 2026-11-12", before: day, after: { timeSlots: MASTER_TIMES } },
    "Times unblocked on 12 Nov 2026: all times",
  ],
  hours_set: [
    { before: { week: null, bufferMinutes: 0 }, after: { week, bufferMinutes: 15 } },
    "Weekly hours set: weekly hours from the usual times to Monday 10:00 AM, 2:00 PM, Friday 8:30 AM; minutes between sessions from 0 to 15",
  ],
  leave_add: [
    { after: { from: "2026-11-12", to: "2026-11-14", reason: null } },
    "Leave added: from 12 Nov 2026; to 14 Nov 2026; reason none",
  ],
  leave_remove: [
    { before: { from: "2026-11-12", to: "2026-11-14", reason: "Diwali" } },
    "Leave removed: from 12 Nov 2026; to 14 Nov 2026; reason “Diwali”",
  ],
  clash_keep: [
    { after: { inSpiteOf: ["Blocked at 10:00 AM", "On leave"] } },
    "Session kept on purpose: in spite of “Blocked at 10:00 AM”, “On leave”",
  ],
  export: [
    { after: { rows: 12, startDate: "2026-11-12", counselorKey: "rohan", searched: true } },
    "Appointments exported: rows 12; from 12 Nov 2026; captain Capt. Rohan; with a search",
  ],
  gst_export: [{ after: { month: "2026-11" } }, "Month for the accountant exported: November 2026"],
  documents_export: [
    { after: { month: "2026-11" } },
    "Month's documents downloaded: November 2026",
  ],
  book: [
    {
      after: {
        counselor: "asha",
        date: "2026-11-13",
        timeSlot: "11:00",
        minutes: 45,
        noticeRead: true,
      },
    },
    "Booked by staff: captain Capt. Asha; date 13 Nov 2026; time 11:00 AM; minutes 45; notice read to the customer",
  ],
  paid_outside: [
    {
      before: { status: "pending_payment" },
      after: { status: "confirmed", paid: 1179, method: "bank_transfer", receivedOn: "2026-11-12" },
    },
    "Marked as paid outside: status from Pending Payment to Confirmed; paid ₹1,179; by bank transfer; received on 12 Nov 2026",
  ],
  hold: [
    { after: { payBefore: "2026-11-13T04:30:00.000Z" } },
    "Held again, link sent: to be paid until 13 Nov 2026, 10:00 AM IST",
  ],
  refund: [
    { after: { refund: 499.5, reason: "Left early" } },
    "Refund without cancelling: refund ₹499.50; reason “Left early”",
  ],
  refund_settle: [
    {
      before: { refund: ID, status: "needs_person" },
      after: { refund: ID, status: "processed", amount: 500 },
    },
    "Refund marked as paid back: status from Refund needs a person to Refunded; amount ₹500",
  ],
  attendance: [
    { before: { attendance: null }, after: { attendance: "no_show" } },
    "Attendance noted: attendance from none to No-show",
  ],
  staff_note_edit: [
    { before: { staffNote: null }, after: { staffNote: "Calls back" } },
    "Staff note changed: staff note from none to “Calls back”",
  ],
  resend: [
    { after: { message: ID, kind: "booking_confirmed", channel: "email" } },
    "Message sent again: Booking confirmed; by Email",
  ],
  refund_retry: [
    {
      before: { refund: ID, status: "failed", error: "balance: Your account has no balance" },
      after: { refund: ID, status: "wanted" },
    },
    "Refund tried again: status from Refund failed to Refund wanted; after Our balance at Razorpay is too low. Please add money",
  ],
  unmatched_refund: [{ after: { refund: 1179 } }, "Unmatched payment refunded: refund ₹1,179"],
  unmatched_assign: [
    { before: { status: "pending_payment" }, after: { status: "confirmed", paymentId: "pay_1" } },
    "Unmatched payment assigned: status from Pending Payment to Confirmed; payment pay_1",
  ],
  password_reset: [{}, "Password reset by code"],
  password_change: [{}, "Password changed"],
  sessions_end: [{ after: { count: 2 } }, "Other sessions ended: sessions 2"],
  second_factor_on: [{}, "Second factor turned on"],
  second_factor_off: [{}, "Second factor turned off"],
  recovery_code_used: [{ after: { left: 3 } }, "Recovery code used: codes left 3"],
  busy_calendar_set: [
    { before: { host: null }, after: { host: "roster.example" } },
    "Busy calendar set: server from none to roster.example",
  ],
  busy_calendar_removed: [
    { before: { host: "roster.example" } },
    "Busy calendar removed: server roster.example",
  ],
  counselor_add: [
    { after: { name: "Meera", specialties: ["A320", "ATPL"], meeting: { kind: "call" } } },
    "Captain added: name “Meera”; specialties “A320”, “ATPL”; session by phone call",
  ],
  counselor_edit: [
    { before: { active: true, portrait: "a" }, after: { active: false, portrait: "b" } },
    "Captain changed: on the page from yes to no; another portrait",
  ],
  package_edit: [
    { before: { price: 999 }, after: { price: 1099 } },
    "Package changed: price from ₹999 to ₹1,099",
  ],
  default_times_set: [
    { before: { defaultTimes: ["10:00"] }, after: { defaultTimes: ["10:00", "14:00"] } },
    "Default times changed: times from 10:00 AM to 10:00 AM, 2:00 PM",
  ],
  links_set: [
    { before: { links: [] }, after: { links: [{ label: "Blog", url: "https://b.example" }] } },
    "Links changed: from none to Blog (https://b.example)",
  ],
  settings_edit: [
    {
      target: "settings",
      before: { businessPhone: null, minNoticeMinutes: 60, logo: null },
      after: { businessPhone: "+91 80 4000 1234", minNoticeMinutes: 120, logo: "a1" },
    },
    "Settings changed: business phone from none to “+91 80 4000 1234”; min notice minutes from 60 to 120; another logo",
  ],
  first_step: [
    { target: "settings", after: { step: "prices" } },
    "List of first steps: step “prices”",
  ],
  feed_renewed: [{}, "Calendar address renewed"],
  admin_create: [{}, "Admin account made"],
  team_invite: [
    { target: "account meera", after: { email: "m@b.in", role: "captain", counselor: "asha" } },
    "Invited to the team: email “m@b.in”; role captain; captain Capt. Asha",
  ],
  team_change: [
    {
      before: { role: "captain", counselor: "asha", access: "given" },
      after: { role: "staff", counselor: null, access: "none" },
    },
    "Account changed: role from captain to staff; captain from Capt. Asha to none; access from given to none",
  ],
  team_join: [{}, "Invitation used"],
  admin_set_password: [
    { after: { secondFactor: "off" } },
    "Password set on the server: second factor off",
  ],
  forbidden: [
    { after: { asked: "GET /admin/documents" } },
    "Not allowed: asked for GET /admin/documents",
  ],
};

it.each(Object.entries(LINES))("says %s in words", (action, [given, expected]) => {
  expect(words(action as ActivityAction, given)).toBe(expected);
});

describe("a line", () => {
  const line = (entry: Given & { actor?: string; role?: Role; action?: ActivityAction }) =>
    activityLine(
      {
        ...{
          at: Date.UTC(2026, 10, 13, 5),
          actor: "meera",
          role: null,
          action: "cancel",
          target: null,
        },
        ...{ before: null, after: null, ...entry },
      },
      nameOf,
    );

  it("names what it is about", () => {
    expect(line({ target: ID }).about).toBe("#wxyz23");
    expect(line({ target: "asha 2026-11-12" }).about).toBe("Capt. Asha");
    expect(line({ target: "all" }).about).toBe("All captains");
    expect(line({ target: "pay_1" }).about).toBe("pay_1");
    expect(line({}).about).toBe("");
  });

  it("is sought by all that it shows, and by its codes", () => {
    expect(line({ target: ID, actor: "customer" }).sought).toBe(
      `13 Nov 2026, 10:30 AM IST Customer Appointment cancelled #wxyz23 customer ${ID} cancel`,
    );
  });
});

it("names a logo that was taken off, and cuts a long text between its characters", () => {
  const logo = { before: { logo: "a1" }, after: { logo: null } };
  expect(words("settings_edit", logo)).toBe("Settings changed: no logo");
  const notes = `${"x".repeat(79)}🙂 and more`;
  expect(words("edit", { after: { notes } })).toContain("x…”");
});

describe("a move", () => {
  const at = { date: "2026-11-12", timeSlot: "10:00" };
  it("to the other captain at the same time names both", () => {
    const [before, after] = [
      { ...at, counselor: "asha" },
      { ...at, counselor: "Capt. Rohan", inSpiteOf: ["On leave"] },
    ];
    expect(words("reschedule", { before, after })).toBe(
      "Session moved at 12 Nov 2026, 10:00 AM IST: captain from Capt. Asha to Capt. Rohan; in spite of “On leave”",
    );
  });
  it("erased says only that it was", () => {
    expect(words("reschedule")).toBe("Session moved");
  });
});

describe("what nobody has named yet", () => {
  it("is shown by its name, and never as JSON, a key or an instant", () => {
    const after = {
      attendance_state: "no_show",
      receivedOn: "2026-11-12T04:30:00.000Z",
      payload: { deep: { er: 1 } },
      list: [{ a: 1 }],
      isOld: false,
    };
    expect(words("edit", { after })).toBe(
      "Contact corrected: attendance state “no_show”; received on 12 Nov 2026, 10:00 AM IST; payload another value; list another value; is old no",
    );
    for (const name of ["someday", "constructor", "__proto__"] as string[] as ActivityAction[]) {
      expect(words(name, { after: { constructor: 1 } })).toBe(`Unknown (${name}): constructor 1`);
    }
  });

  it("throws at no shape and begins with the label", () => {
    const data = fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: null });
    const action = fc.constantFrom(...(Object.keys(LINES) as ActivityAction[]));
    const known = fc.constantFrom(
      "toString",
      "__proto__",
      "week",
      "links",
      "meeting",
      "month",
      "date",
      "status",
      "price",
    );
    // No text can be made of it.
    expect(words("login", { after: { address: { toString: [] } } })).toContain("another value");
    const odd = fc.option(fc.dictionary(known, fc.jsonValue()), { nil: null });
    fc.assert(
      fc.property(action, fc.oneof(data, odd), fc.oneof(data, odd), (name, before, after) => {
        const line = activityWords({ action: name, target: null, before, after }, nameOf);
        expect(line.startsWith(activityLabel(name))).toBe(true);
      }),
    );
  });
});
