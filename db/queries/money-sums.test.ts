/** What is left of a payment and kept of a booking: the database's columns and the model's sums. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { leftOf, type RefundState, type RefundWay, sumsOf } from "#app/model/refund.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  deleteRefund,
  findPayment,
  insertRefund,
  listPaymentsOf,
  listRefundsOf,
  listRefundsOfPayment,
  updatePayment,
  updateRefund,
} from "./payments.server.ts";
import { oweAgain, saveDispute, supersedeRefund, wantRefund } from "./refunds.server.ts";
import { writeSetting } from "./settings.server.ts";
import { settlementsSince, settlementsSinceSetting } from "./settlements.server.ts";

const { db, add, left } = storedRows();

const PAYMENTS = ["pay_1", "pay_2", "offline_3"];
const BOOKINGS = ["one", "other"];
const STATES: readonly RefundState[] = [
  ...(["wanted", "sent", "pending", "processed", "failed", "needs_person", "superseded"] as const),
];
const WAYS: readonly RefundWay[] = ["provider", "by_hand", "dashboard"];

const payment = fc.constantFrom(...PAYMENTS);
/** Of a payment of 1000. */
const paise = fc.oneof(fc.integer({ min: 1, max: 1_200 }), fc.constantFrom(400, 600, 1_000));
const state = fc.constantFrom(...STATES);
const way = fc.constantFrom(...WAYS);
/** Picks one of the refunds that there are by then. */
const which = fc.nat({ max: 9 });

const step = fc.oneof(
  fc.record({ kind: fc.constant("report" as const), payment, paise, state, way }),
  fc.record({
    kind: fc.constant("want" as const),
    payment,
    paise: fc.oneof(paise, fc.constant("all" as const)),
  }),
  fc.record({ kind: fc.constant("turn" as const), which, state, way }),
  fc.record({ kind: fc.constant("resize" as const), which, paise }),
  fc.record({ kind: fc.constantFrom("supersede", "owe again"), which, paise }),
  fc.record({ kind: fc.constant("forget" as const), which }),
  fc.record({
    kind: fc.constant("dispute" as const),
    payment,
    paise,
    status: fc.constantFrom("open", "lost", "won"),
    deducted: fc.constantFrom(0, 250),
  }),
  fc.record({ kind: fc.constant("capture" as const), payment, at: fc.constantFrom(null, 1) }),
  fc.record({
    kind: fc.constant("move" as const),
    payment,
    to: fc.constantFrom(null, ...BOOKINGS),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const refundOf = (index: number) => {
  const id = left("refund")[index];
  return id === undefined
    ? undefined
    : PAYMENTS.flatMap((one) => listRefundsOfPayment(db(), one)).find((row) => row.id === id);
};

let serial = 0;

function carryOut(one: Step): void {
  const tx = db();
  if (one.kind === "report") {
    serial += 1;
    const about = { paymentId: one.payment, amountPaise: one.paise, reason: "by_staff" } as const;
    insertRefund(tx, {
      id: `r${serial}`,
      ...about,
      state: one.state,
      way: one.way,
      createdAt: serial,
      updatedAt: 0,
    });
  } else if (one.kind === "want") {
    const about = { paymentId: one.payment, appointmentId: null, reason: "by_staff" } as const;
    wantRefund(tx, { ...about, amountPaise: one.paise }, serial);
  } else if (one.kind === "dispute") {
    saveDispute(tx, {
      disputeId: `d_${one.payment}`,
      paymentId: one.payment,
      phase: "chargeback",
      status: one.status,
      amountPaise: one.paise,
      deductedPaise: one.deducted,
      respondBy: null,
      createdAt: 0,
      updatedAt: 0,
    });
  } else if (one.kind === "capture") updatePayment(tx, one.payment, { capturedAt: one.at });
  else if (one.kind === "move") updatePayment(tx, one.payment, { appointmentId: one.to });
  else {
    const refund = refundOf(one.which);
    if (refund === undefined) return;
    if (one.kind === "forget") deleteRefund(tx, refund.id);
    else if (one.kind === "turn") updateRefund(tx, refund.id, { state: one.state, way: one.way });
    else if (one.kind === "resize") updateRefund(tx, refund.id, { amountPaise: one.paise });
    else if (one.kind === "supersede") supersedeRefund(tx, refund, one.paise, 0);
    else if (refund.state === "superseded") oweAgain(tx, refund, one.paise, 0);
  }
}

/** As a request or an event is: all of it, or nothing where the schema refuses. */
function tryOut(one: Step): boolean {
  const { driver } = db();
  driver.exec("SAVEPOINT step");
  try {
    carryOut(one);
    return true;
  } catch (error) {
    driver.exec("ROLLBACK TO step");
    expect(String(error)).toContain("refund_over_payment");
    return false;
  } finally {
    driver.exec("RELEASE step");
  }
}

it("are the same whatever is reported, wanted, taken back, assigned, turned or forgotten", () => {
  const seen = { refused: 0, taken: 0, overdrawn: 0, superseded: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), (steps) => {
      for (const table of ["dispute", "refund", "payment", "appointment"]) {
        db().runRaw(`DELETE FROM ${table}`);
      }
      for (const id of BOOKINGS) add("appointment", id);
      for (const [i, id] of PAYMENTS.entries()) {
        const appointment_id = BOOKINGS[i % 2]!;
        add("payment", id, { amount_paise: 1_000, captured_at: 1, appointment_id });
      }
      for (const one of steps) {
        if (!tryOut(one)) seen.refused += 1;
        for (const id of BOOKINGS) {
          const sums = sumsOf(listPaymentsOf(db(), id), listRefundsOf(db(), id));
          const [columns] = db().allRaw(
            `SELECT refunded_paise AS backPaise, taken_back_paise AS takenPaise,
               kept_paise AS keptPaise FROM appointment WHERE id = ?`,
            [id],
          );
          expect(sums).toMatchObject(columns as object);
          if (sums.takenPaise > 0) seen.taken += 1;
        }
        for (const id of PAYMENTS) {
          const refunds = listRefundsOfPayment(db(), id);
          for (const { counts, state, way } of refunds) {
            const isNone = state === "superseded" || (state === "failed" && way === "dashboard");
            expect(counts).toBe(isNone ? 0 : 1);
            if (state === "superseded") seen.superseded += 1;
          }
          // What this program decides is held to what is left, also after it said so once more.
          const rest = leftOf(findPayment(db(), id)!, refunds);
          if (rest < 0) seen.overdrawn += 1;
          const asked = { kind: "want", payment: id, paise: Math.max(0, rest) + 1 } as const;
          expect(tryOut(asked)).toBe(false);
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([]);
});

it("settlements are read since a time of its own under a live key and under a test key", () => {
  writeSetting(db(), settlementsSinceSetting(false), "1");
  expect([settlementsSince(db(), false), settlementsSince(db(), true)]).toEqual([1, null]);
  writeSetting(db(), settlementsSinceSetting(true), "2");
  expect([settlementsSince(db(), false), settlementsSince(db(), true)]).toEqual([1, 2]);
});
