/** Customers beside a plain count over random histories, and how they are found. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { moveBookings } from "#app/customers/customers.server.ts";
import { PAID } from "#app/model/statuses.ts";
import { findCustomerId, readCustomerPage } from "#db/queries/customers.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const test = sharedDeps();
beforeEach(() => {
  test.deps.db.runRaw("DELETE FROM appointment");
});

const ADMIN = { kind: "admin", username: "asha", role: "owner" } as const;
const db = () => test.deps.db;
const id = (n: number) => String(n).padStart(26, "a");
const page = { page: 1, pageSize: 50 };

interface Booked {
  email: string;
  status: string;
  startsAt: number;
}

const insert = (n: number, { email, status, startsAt }: Booked, more = {}) =>
  addRow(db(), "appointment", id(n), { email, status, starts_at: startsAt, ...more });

const email = fc.constantFrom("a@b.in", "A@b.in", "c@d.in", "e@f.in");
const status = fc.constantFrom("pending_payment", "confirmed", "rescheduled", "cancelled");
const startsAt = fc.constantFrom(0, 1_800_000, 3_600_000);
const booked = fc.record({ email, status, startsAt });
const which = fc.nat({ max: 7 });
const step = fc.oneof(
  fc.record({ do: fc.constant("book" as const), which, to: booked }),
  // Another address, status or time, or all at once, as operations write them.
  fc.record({ do: fc.constant("change" as const), which, to: booked }),
  fc.record({ do: fc.constant("delete" as const), which }),
  fc.record({ do: fc.constant("erase" as const), email }),
);

/** What the table must say, counted over the bookings. */
function counted(model: Map<number, Booked>) {
  const live = [...model.values()].filter((one) => one.email !== "");
  const byEmail = Map.groupBy(live, (one) => one.email.toLowerCase());
  return [...byEmail]
    .map(([address, all]) => ({
      email: address,
      sessions: all.length,
      paid: all.filter((one) => PAID.some((paid) => paid === one.status)).length,
      last_starts_at: Math.max(...all.map((one) => one.startsAt)),
    }))
    .sort((one, other) => one.email.localeCompare(other.email));
}

describe("the figures of customers", () => {
  it("are those of a plain count, whatever happens to bookings", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        db().runRaw("DELETE FROM appointment");
        const model = new Map<number, Booked>();
        for (const one of steps) {
          if (one.do === "erase") {
            eraseCustomer(db(), one.email, 10);
            for (const [n, was] of model) {
              if (was.email.toLowerCase() !== one.email.toLowerCase()) continue;
              const to = was.status !== "cancelled" && was.startsAt + 1_800_000 > 10;
              model.set(n, { ...was, email: "", status: to ? "cancelled" : was.status });
            }
          } else if (one.do === "delete") {
            db().runRaw("DELETE FROM appointment WHERE id = ?", [id(one.which)]);
            model.delete(one.which);
          } else if (model.has(one.which)) {
            db().runRaw(
              `UPDATE appointment SET email = ?, status = ?, starts_at = ?, ends_at = ? WHERE id = ?`,
              [
                one.to.email,
                one.to.status,
                one.to.startsAt,
                one.to.startsAt + 1_800_000,
                id(one.which),
              ],
            );
            model.set(one.which, one.to);
          } else {
            insert(one.which, one.to);
            model.set(one.which, one.to);
          }
        }
        const rows = db().allRaw(
          "SELECT email, sessions, paid, last_starts_at FROM customer ORDER BY email",
        );
        expect(rows).toEqual(counted(model));
      }),
      { numRuns: 200 },
    );
  });

  it("keep the id of an address, which does not reveal it", () => {
    insert(1, { email: "A@b.in", status: "confirmed", startsAt: 0 });
    const first = findCustomerId(db(), "a@B.in");
    expect(first).toMatch(/^[a-z0-9]{26}$/);
    insert(2, { email: "a@b.in", status: "confirmed", startsAt: 0 });
    expect(findCustomerId(db(), "a@b.in")).toBe(first);
    db().runRaw("DELETE FROM appointment");
    insert(3, { email: "a@b.in", status: "confirmed", startsAt: 0 });
    expect(findCustomerId(db(), "a@b.in")).not.toBe(first);
  });
});

const found = (q: string) => readCustomerPage(db(), q, page).rows.map((one) => one.email);

it("the list of customers finds by name, address and phone however written, each once, the newest session first", () => {
  const [a, b] = ["meera@example.in", "Rohan@other.in"];
  const paid = "confirmed";
  insert(1, { email: a, status: paid, startsAt: 0 }, { name: "Meera Pillai" });
  insert(2, { email: a, status: paid, startsAt: 1 }, { name: "Meera P. Nair" });
  const rohan = { name: "Rohan Pillai", phone: "+919811122233" };
  insert(3, { email: b, status: "cancelled", startsAt: 2 }, rohan);
  for (const [q, who] of Object.entries({
    pillai: [b, a],
    "Meera Nair": [a],
    "example.in": [a],
    me: [a],
    "98111 22233": [b],
    "+91 98111-22233": [b],
    aaaaaaaa: [],
    "nobody here": [],
  })) {
    expect([q, found(q)]).toEqual([q, who]);
  }
  expect(readCustomerPage(db(), "", page)).toMatchObject({
    total: 2,
    rows: [
      { name: "Rohan Pillai", email: b, sessions: 1, paid: 0, lastStartsAt: 2 },
      { name: "Meera P. Nair", email: a, sessions: 2, paid: 2, lastStartsAt: 1 },
    ],
  });
  const second = readCustomerPage(db(), "pillai", { page: 2, pageSize: 1 });
  expect([second.total, second.rows.map((one) => one.email)]).toEqual([2, [a]]);
});

it("a corrected address moves the bookings that are chosen, logged, and only the customer's own", () => {
  for (const n of [1, 2]) insert(n, { email: "old@b.in", status: "cancelled", startsAt: n });
  insert(3, { email: "other@b.in", status: "cancelled", startsAt: 3 });
  const customer = findCustomerId(db(), "old@b.in")!;
  const move = (bookings: string[]) =>
    moveBookings(test.deps, ADMIN, customer, { email: "new@b.in", bookings });
  expect(move([id(1), id(3)])).toMatchObject({ ok: false, code: "stale" });
  expect(findCustomerId(db(), "new@b.in")).toBeNull();
  const moved = move([id(1)]);
  expect(moved).toEqual({ ok: true, value: { id: findCustomerId(db(), "new@b.in"), moved: 1 } });
  const sums = db().allRaw("SELECT email, sessions FROM customer ORDER BY email");
  expect(sums).toEqual([
    { email: "new@b.in", sessions: 1 },
    { email: "old@b.in", sessions: 1 },
    { email: "other@b.in", sessions: 1 },
  ]);
  const log = db().allRaw("SELECT actor, action, target FROM activity");
  expect(log).toEqual([{ actor: "asha", action: "edit", target: id(1) }]);
  expect(moveBookings(test.deps, ADMIN, id(9), { email: "x@y.in", bookings: [] }).ok).toBe(false);
  // Access was taken away while the form was sent.
  const signedOut = { ...ADMIN, session: { tokenHash: "ended", counselorKey: null } } as const;
  const late = { email: "late@b.in", bookings: [id(2)] };
  expect(moveBookings(test.deps, signedOut, customer, late)).toMatchObject({
    code: "unauthenticated",
  });
});
