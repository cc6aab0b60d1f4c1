/** Money as it stood before refunds said what they are, in every combination, and what becomes of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { migrate, type OpenDb } from "#db/connection.server.ts";
import { fileBefore } from "#tests/support/file-before.ts";

const NAME = "20261125T0100_refund_says_what_it_is";
const DAY = 86_400_000;
const WHOLE = 1_000;

interface Old {
  state: "wanted" | "sent" | "pending" | "processed" | "failed" | "needs_person";
  origin?: "provider";
  /** The provider has told its id. */
  hasId?: true;
  settled?: true;
  offline?: true;
  error?: string;
}

const now = (state: string, way: "provider" | "by_hand" | "dashboard", fault?: string) => {
  return { state, way, fault: fault ?? null };
};

/** Each refund that the release before could leave, and what it says since. */
const KINDS: Record<string, [Old, ReturnType<typeof now>]> = {
  wanted: [{ state: "wanted" }, now("wanted", "provider")],
  sent: [{ state: "sent", error: "unknown: no answer" }, now("sent", "provider", "unknown")],
  refused: [
    { state: "needs_person", error: "rejected: 50%: no" },
    now("needs_person", "provider", "rejected"),
  ],
  "without balance": [
    { state: "needs_person", error: "balance: none" },
    now("needs_person", "provider", "balance"),
  ],
  pending: [{ state: "pending", hasId: true }, now("pending", "provider")],
  processed: [{ state: "processed", hasId: true }, now("processed", "provider")],
  failed: [
    { state: "failed", hasId: true, error: "the provider could not carry it out" },
    now("failed", "provider"),
  ],
  closed: [
    { state: "processed", error: "all of it went back from the provider's dashboard" },
    now("superseded", "provider"),
  ],
  settled: [{ state: "processed", settled: true }, now("processed", "by_hand")],
  "to be paid by hand": [{ state: "needs_person", offline: true }, now("needs_person", "by_hand")],
  "paid by hand": [
    { state: "processed", offline: true, settled: true },
    now("processed", "by_hand"),
  ],
  "dashboard pending": [
    { state: "pending", origin: "provider", hasId: true },
    now("pending", "dashboard"),
  ],
  "dashboard processed": [
    { state: "processed", origin: "provider", hasId: true },
    now("processed", "dashboard"),
  ],
  "dashboard failed": [
    { state: "failed", origin: "provider", hasId: true, error: "the provider could not" },
    now("failed", "dashboard"),
  ],
};

let db: OpenDb;

interface Booked {
  starts_at?: number;
  status?: string;
  cancel_reason?: string;
  pay_before?: number;
}

const insert = (table: string, row: Record<string, string | number | null>) => {
  const places = Object.keys(row).map(() => "?");
  const text = `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${places.join()})`;
  db.runRaw(text, Object.values(row));
};

const book = (id: string, { starts_at = 50 * DAY, ...changes }: Booked = {}) =>
  insert("appointment", {
    ...{ id, name: "A", email: "a@b.in", phone: "+919845012345", counselor_key: "asha" },
    ...{ counselor_name: "A captain", on_date: "2026-12-01", time_slot: "10:00", minutes: 30 },
    ...{ starts_at, ends_at: starts_at + 1_800_000, base_paise: 847, gst_paise: 153 },
    ...{ total_paise: WHOLE, status: "cancelled", calendar_uid: id, notice_version: "1" },
    ...{ notice_at: 0, created_at: 0, updated_at: 0, ...changes },
  });

const pay = (payment_id: string, changes: Record<string, string | number | null> = {}) =>
  insert("payment", {
    ...{ payment_id, amount_paise: WHOLE, currency: "INR", provider_status: "captured" },
    ...{ outcome: "applied", captured_at: 1, created_at: 1, updated_at: 1, ...changes },
  });

function refund(id: string, payment: string, kind: string, amount: number): void {
  const [{ state, origin = "us", hasId, settled, error }] = KINDS[kind]!;
  insert("refund", {
    ...{ id, payment_id: payment, appointment_id: payment.replace("offline_", ""), state, origin },
    ...{ amount_paise: amount, reason: origin === "us" ? "by_staff" : "made in the dashboard" },
    ...{ provider_refund_id: hasId ? `rfnd_${id}` : null, last_error: error ?? null },
    ...{ settled_at: settled ? 5 : null, note: "Why", receipt: id, created_at: 1, updated_at: 1 },
    next_try_at: state === "wanted" || state === "sent" ? 9 : null,
  });
}

interface Case {
  id: string;
  kinds: string[];
  /** What the provider counts as gone back, as last read. */
  refunded: number;
}

const isOffline = (kind: string) => KINDS[kind]![0].offline === true;

/** No refund, one of all or of a part, and two of every two kinds; with each sum of the provider. */
function everyCase(): Case[] {
  const names = Object.keys(KINDS);
  const single = names.flatMap((kind) => [[kind], [kind, "part"]]);
  const pairs = names.flatMap((one) => names.map((other) => [one, other]));
  const isMixed = (kinds: string[]) => kinds.some(isOffline) !== kinds.every(isOffline);
  return [[], ...single, ...pairs]
    .filter((kinds) => kinds.includes("part") || !isMixed(kinds))
    .flatMap((kinds) =>
      (kinds.some((kind) => kind !== "part" && isOffline(kind)) ? [0] : [0, 400, 600, WHOLE]).map(
        (refunded) => ({ id: `${kinds.join(" and ")} of ${refunded}`, kinds, refunded }),
      ),
    );
}

const amountsOf = ({ kinds }: Case): [kind: string, paise: number][] => {
  const [one, other] = kinds as [string, string?];
  if (kinds.length === 0) return [];
  if (other === undefined) return [[one, WHOLE]];
  if (other === "part") return [[one, 400]];
  return [
    [one, 400],
    [other, 600],
  ];
};

const CASES = everyCase();
const sums = () => {
  const rows = db.allRaw<{ id: string; kept: number }>(
    "SELECT id, kept_paise AS kept FROM appointment",
  );
  return new Map(rows.map(({ id, kept }) => [id, kept]));
};

let before: Map<string, number>;
let after: Map<string, number>;
interface Row {
  id: string;
  payment_id: string;
  amount_paise: number;
  state: string;
  way: string;
  reason: string;
  counts: number;
  fault: string | null;
  provider_refund_id: string | null;
  next_try_at: number | null;
}
let rows: Row[];
const rowsOf = (payment: string) => rows.filter((row) => row.payment_id === payment);
const paymentOf = ({ id, kinds }: Case) =>
  kinds.some((kind) => kind !== "part" && isOffline(kind)) ? `offline_${id}` : id;

beforeAll(async () => {
  db = await fileBefore(NAME);
  for (const one of CASES) {
    book(one.id);
    const payment = paymentOf(one);
    pay(payment, { appointment_id: one.id, order_id: `order_${one.id}` });
    // Of two the second is the newer one; the schema lets none of ours be of more than is left.
    const amounts = amountsOf(one);
    const ours = amounts.filter(([kind]) => KINDS[kind]![0].origin === undefined);
    const theirs = amounts.filter(([kind]) => KINDS[kind]![0].origin === "provider");
    for (const [i, [kind, paise]] of [...ours, ...theirs].entries()) {
      refund(`${one.id} ${i}`, payment, kind, paise);
    }
    db.runRaw("UPDATE payment SET refunded_paise = ? WHERE payment_id = ?", [
      ...[one.refunded, payment],
    ]);
    insert("payment_order", {
      ...{ receipt: one.id, order_id: `order_${one.id}`, appointment_id: one.id, state: "paid" },
      ...{ amount_paise: WHOLE, currency: "INR", created_at: 0, next_check_at: null },
    });
  }
  addLateMoney();
  addOrders();
  before = sums();
  await migrate(db);
  after = sums();
  rows = db.allRaw<Row>("SELECT * FROM refund ORDER BY rowid");
  return () => db.close();
});

const LATE = {
  "by staff": { cancel_reason: "by_admin" },
  "by its customer": { cancel_reason: "by_customer", starts_at: 0 },
  "its time gone": { cancel_reason: "time_gone" },
  "its session begun": { cancel_reason: "time_gone", starts_at: 1 },
  "just before it began": { cancel_reason: "time_gone", starts_at: 2 },
};

function addLateMoney(): void {
  for (const [id, changes] of Object.entries(LATE)) {
    book(id, changes);
    pay(`late ${id}`, { outcome: "late", appointment_id: id });
    lateRefund(id);
  }
  pay("late deleted", { outcome: "late", appointment_id: "deleted" });
  lateRefund("deleted");
}

function lateRefund(id: string): void {
  const about = { payment_id: `late ${id}`, appointment_id: id, amount_paise: WHOLE };
  insert("refund", {
    ...{ id: `late ${id}`, ...about, state: "wanted", origin: "us", reason: "late" },
    ...{ next_try_at: 1, created_at: 1, updated_at: 1 },
  });
  for (const kind of ["late_payment_refunded", "admin_late_refund", "booking_cancelled"]) {
    insert("message", {
      ...{ id: `${kind} ${id}`, cause: `${kind} ${id}`, kind, channel: "email", created_at: 1 },
      ...{ audience: "customer", recipient: "a@b.in", appointment_id: id, state: "queued" },
      data: JSON.stringify({ paymentId: `late ${id}`, amountPaise: WHOLE }),
    });
  }
}

const ORDERS: Record<string, [payBefore: number | null, nextCheck: number | null]> = {
  "a hold that ended": [900_000, null],
  "a link of a week": [7 * DAY, null],
  "a hold that runs": [900_000, 77],
  "paid and done": [null, null],
};

function addOrders(): void {
  for (const [id, [pay_before, next_check_at]] of Object.entries(ORDERS)) {
    book(id, { status: "pending_payment", ...(pay_before === null ? {} : { pay_before }) });
    insert("payment_order", {
      ...{ receipt: id, order_id: `order_${id}`, appointment_id: id, state: "open" },
      ...{ amount_paise: WHOLE, currency: "INR", created_at: 0, next_check_at },
    });
  }
}

describe("each refund of before", () => {
  it.each(Object.keys(KINDS))("that was %s says so by itself", (kind) => {
    const says = KINDS[kind]![1];
    const id = `${kind} and part of 0`;
    const reason = says.way === "dashboard" ? "dashboard" : "by_staff";
    const counts = kind === "closed" || kind === "dashboard failed" ? 0 : 1;
    const payment = isOffline(kind) ? `offline_${id}` : id;
    expect(rowsOf(payment)).toMatchObject([
      { id: `${id} 0`, amount_paise: 400, reason, counts, ...says },
    ]);
  });

  it("is still there, of its sum, and of no other payment", () => {
    for (const one of CASES) {
      const stand = rowsOf(paymentOf(one));
      const added = stand.filter(
        (row) => row.way === "dashboard" && row.provider_refund_id === null,
      );
      const total = stand.reduce((sum, row) => sum + row.amount_paise, 0);
      const untold = added.reduce((sum, row) => sum + row.amount_paise, 0);
      const was = amountsOf(one).reduce((sum, [, paise]) => sum + paise, 0);
      expect([one.id, total - untold, added.length <= 1]).toEqual([one.id, was, true]);
      // Of what is no longer to be made nothing is due.
      const due = stand.filter(({ state, next_try_at }) => state === "superseded" && next_try_at);
      expect(due).toEqual([]);
    }
  });

  it("stays owed where it failed and the provider still counted it", () => {
    expect(rowsOf(`failed of ${WHOLE}`)).toMatchObject([{ state: "failed", amount_paise: WHOLE }]);
  });
});

describe("what is kept of a booking", () => {
  /** By the rule of before, without its floor. */
  function oldSum(one: Case): number {
    const amounts = amountsOf(one);
    const sumOf = (isIn: (old: Old) => boolean) =>
      amounts.reduce((sum, [kind, paise]) => sum + (isIn(KINDS[kind]![0]) ? paise : 0), 0);
    const accepted = sumOf(
      ({ hasId, origin, state }) => !!hasId && !(origin === "provider" && state === "failed"),
    );
    const wished = sumOf(({ hasId }) => !hasId);
    return WHOLE - Math.max(accepted, one.refunded) - wished;
  }

  const closedOf = (one: Case) =>
    amountsOf(one).reduce((sum, [kind, paise]) => sum + (kind === "closed" ? paise : 0), 0);
  /** Owed, and given up where more had gone back than there was. */
  const OWED = ["wanted", "sent", "refused", "without balance", "failed"];
  const owedOf = (one: Case) =>
    amountsOf(one).reduce((sum, [kind, paise]) => sum + (OWED.includes(kind) ? paise : 0), 0);

  it("was what the rule of before says", () => {
    for (const one of CASES) {
      expect([one.id, before.get(one.id)]).toEqual([one.id, Math.max(0, oldSum(one))]);
    }
  });

  it("is the same, but where a wish was closed or the floor hid that more was counted than came", () => {
    const other = { same: 0, closed: 0, floor: 0 };
    for (const one of CASES) {
      const kept = [one.id, after.get(one.id)];
      const sum = oldSum(one) + closedOf(one);
      if (sum >= 0 && closedOf(one) === 0) {
        expect(kept).toEqual([one.id, before.get(one.id)]);
        other.same += 1;
      } else if (sum >= 0) {
        // What stood in for it counts by itself, and not twice.
        expect(kept).toEqual([one.id, sum]);
        other.closed += 1;
      } else {
        // What is not made yet is not made; what was made cannot be undone.
        expect(kept).toEqual([one.id, Math.min(0, sum + owedOf(one))]);
        other.floor += 1;
      }
    }
    expect(Object.values(other).every((count) => count > 20)).toBe(true);
  });

  it("is with what went back all that came", () => {
    const off = db.allRaw(
      `SELECT a.id FROM appointment a WHERE kept_paise + refunded_paise + taken_back_paise <> (
        SELECT coalesce(sum(p.amount_paise), 0) FROM payment p
        WHERE p.appointment_id = a.id AND p.captured_at IS NOT NULL)`,
    );
    expect(off).toEqual([]);
  });
});

it("late money says which of three things it means, and its messages name its refund", () => {
  const causes = {
    ...{ "by staff": "booking_cancelled", "by its customer": "booking_cancelled" },
    ...{ "its time gone": "time_gone", "its session begun": "session_begun" },
    ...{ "just before it began": "time_gone", deleted: "time_gone" },
  };
  for (const [id, reason] of Object.entries(causes)) {
    const [payment] = db.allRaw("SELECT outcome FROM payment WHERE payment_id = ?", [`late ${id}`]);
    expect([id, payment]).toEqual([id, { outcome: reason }]);
    expect(rowsOf(`late ${id}`)).toMatchObject([{ reason, state: "wanted", way: "provider" }]);
    const named = { refundId: `late ${id}`, reason };
    const about = { paymentId: `late ${id}`, amountPaise: WHOLE };
    const data = db.allRaw<{ kind: string; data: string }>(
      "SELECT kind, data FROM message WHERE appointment_id = ? ORDER BY kind",
      [id],
    );
    expect(data.map((row) => [row.kind, JSON.parse(row.data)])).toEqual([
      ["admin_late_refund", { ...about, ...named }],
      ["booking_cancelled", about],
      ["late_payment_refunded", { ...about, ...named }],
    ]);
  }
});

describe("orders", () => {
  const orders = (receipt: string) =>
    db.firstRaw<{ watch_until: number; next_check_at: number | null }>(
      "SELECT watch_until, next_check_at FROM payment_order WHERE receipt = ?",
      [receipt],
    );

  it("are watched for five days from the last moment to pay", () => {
    expect(Object.keys(ORDERS).map(orders)).toEqual([
      { watch_until: 5 * DAY + 900_000, next_check_at: null },
      // It could be paid after its watch had ended.
      { watch_until: expect.any(Number), next_check_at: 0 },
      { watch_until: 5 * DAY + 900_000, next_check_at: 77 },
      { watch_until: 5 * DAY, next_check_at: null },
    ]);
    // From the upgrade on, so that an outage at that hour does not end its watch again.
    const again = Math.max(...Object.keys(ORDERS).map((receipt) => orders(receipt)!.watch_until));
    expect(Math.abs(again - Date.now() - 5 * DAY)).toBeLessThan(DAY);
  });

  it("are read once more where the sums of before are not the whole story", () => {
    const isDue = (one: Case) => orders(one.id)?.next_check_at === 0;
    const isUnsure = (one: Case) =>
      rowsOf(paymentOf(one)).some(
        ({ way, state, provider_refund_id }) =>
          state === "superseded" || (way === "dashboard" && provider_refund_id === null),
      );
    expect(CASES.filter(isDue)).toEqual(CASES.filter(isUnsure));
    expect(CASES.filter(isDue).length).toBeGreaterThan(50);
    expect(CASES.filter((one) => !isDue(one)).length).toBeGreaterThan(50);
  });
});
