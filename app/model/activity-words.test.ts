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
const LINES: Record<ActivityAction, Given> = {
  login: { after: { address: "10.1.2.3" } },
  login_failed: { after: { address: "10.1.2.3" } },
  logout: {},
  reschedule: {
    before: { date: "2026-11-12", timeSlot: "10:00", status: "confirmed" },
    after: { date: "2026-11-13", timeSlot: "11:00", status: "rescheduled" },
  },
  cancel: { before: { status: "confirmed" }, after: { status: "cancelled", refund: 1179 } },
  delete: {
    before: {
      counselor: "Capt. Asha",
      date: "2026-11-12",
      timeSlot: "10:00",
      status: "pending_payment",
      invoiceNumber: "AC/26-27/00001",
    },
  },
  customer_data: {},
  customer_erase: { after: { sessions: 3 } },
  edit: { before: { name: "Mira", notes: null }, after: { name: "Meera", notes: "Can I fly?" } },
  rating_hide: { before: { hidden: null }, after: { hidden: "abuse" } },
  help_call: { after: { missing: "captain" } },
  help_ask: { after: { askedFor: "refund" } },
  help_settle: { after: { settled: "moved", askedFor: "move 2026-11-12 09:00" } },
  plan_save: {},
  plan_send: {},
  slots_set: { target: "asha 2026-11-12", before: { "2026-11-12": "default" }, after: times },
  slots_reset: {
    target: "asha 2026-11-12 to 2026-11-14",
    before: day,
    after: { timeSlots: "default" },
  },
  block: { target: "asha 2026-11-12", before: day, after: { ...times, reason: "Line check" } },
  unblock: { target: "asha 2026-11-12", before: day, after: { timeSlots: MASTER_TIMES } },
  hours_set: { before: { week: null, bufferMinutes: 0 }, after: { week, bufferMinutes: 15 } },
  leave_add: { after: { from: "2026-11-12", to: "2026-11-14", reason: null } },
  leave_remove: { before: { from: "2026-11-12", to: "2026-11-14", reason: "Diwali" } },
  clash_keep: { after: { inSpiteOf: ["Blocked at 10:00 AM", "On leave"] } },
  export: { after: { rows: 12, startDate: "2026-11-12", counselorKey: "rohan", searched: true } },
  gst_export: { after: { month: "2026-11" } },
  documents_export: { after: { month: "2026-11" } },
  book: {
    after: {
      counselor: "asha",
      date: "2026-11-13",
      timeSlot: "11:00",
      minutes: 45,
      noticeRead: true,
    },
  },
  paid_outside: {
    before: { status: "pending_payment" },
    after: { status: "confirmed", paid: 1179, method: "bank_transfer", receivedOn: "2026-11-12" },
  },
  hold: { after: { payBefore: "2026-11-13T04:30:00.000Z" } },
  refund: { after: { refund: 499.5, reason: "Left early" } },
  refund_settle: {
    before: { refund: ID, status: "needs_person" },
    after: { refund: ID, status: "processed", amount: 500 },
  },
  attendance: { before: { attendance: null }, after: { attendance: "no_show" } },
  staff_note_edit: { before: { staffNote: null }, after: { staffNote: "Calls back" } },
  resend: { after: { message: ID, kind: "booking_confirmed", channel: "email" } },
  refund_retry: {
    before: { refund: ID, status: "failed", error: "balance: Your account has no balance" },
    after: { refund: ID, status: "wanted" },
  },
  unmatched_refund: { after: { refund: 1179 } },
  unmatched_assign: {
    before: { status: "pending_payment" },
    after: { status: "confirmed", paymentId: "pay_1" },
  },
  password_reset: {},
  password_change: {},
  sessions_end: { after: { count: 2 } },
  second_factor_on: {},
  second_factor_off: {},
  recovery_code_used: { after: { left: 3 } },
  busy_calendar_set: { before: { host: null }, after: { host: "roster.example" } },
  busy_calendar_removed: { before: { host: "roster.example" } },
  counselor_add: {
    after: { name: "Meera", specialties: ["A320", "ATPL"], meeting: { kind: "call" } },
  },
  counselor_edit: {
    before: { active: true, portrait: "a" },
    after: { active: false, portrait: "b" },
  },
  package_edit: { before: { price: 999 }, after: { price: 1099 } },
  default_times_set: {
    before: { defaultTimes: ["10:00"] },
    after: { defaultTimes: ["10:00", "14:00"] },
  },
  links_set: {
    before: { links: [] },
    after: { links: [{ label: "Blog", url: "https://b.example" }] },
  },
  settings_edit: {
    target: "settings",
    before: { businessPhone: null, minNoticeMinutes: 60, logo: null },
    after: { businessPhone: "+91 80 4000 1234", minNoticeMinutes: 120, logo: "a1" },
  },
  first_step: { target: "settings", after: { step: "prices" } },
  feed_renewed: {},
  admin_create: {},
  team_invite: {
    target: "account meera",
    after: { email: "m@b.in", role: "captain", counselor: "asha" },
  },
  team_change: {
    before: { role: "captain", counselor: "asha", access: "given" },
    after: { role: "staff", counselor: null, access: "none" },
  },
  team_join: {},
  admin_set_password: { after: { secondFactor: "off" } },
  forbidden: { after: { asked: "GET /admin/documents" } },
};

it("says each action in words", async () => {
  const lines = Object.entries(LINES).map(
    ([action, given]) => `${action}: ${words(action as ActivityAction, given)}`,
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-activity-words.txt");
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
        before: null,
        after: null,
        ...entry,
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
      ..."toString __proto__ week links meeting month date status price".split(" "),
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
