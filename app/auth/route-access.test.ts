import { expect, it } from "vitest";
import { mayAsk } from "./route-access.ts";

const ROLES = ["owner", "staff", "captain"] as const;
const who = (pattern: string, method = "GET") =>
  ROLES.filter((role) => mayAsk(role, pattern, method));

it("what the table does not know is an owner's, by every method", () => {
  for (const pattern of ["/admin/new-page", "/api/admin/new-call", ""]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      expect([pattern, who(pattern, method)]).toEqual([pattern, ["owner"]]);
    }
  }
});

it("what it knows is asked by the subject of the method, of a method it does not name as a reading", () => {
  expect(who("/api/admin/appointments", "GET")).toEqual(["owner", "staff", "captain"]);
  expect(who("/api/admin/appointments", "POST")).toEqual(["owner", "staff"]);
  expect(who("/api/admin/appointments/:id", "DELETE")).toEqual(["owner"]);
  expect(who("/api/admin/appointments", "HEAD")).toEqual(["owner", "staff", "captain"]);
  expect(who("/admin/appointments/:id/refund")).toEqual(["owner"]);
});
