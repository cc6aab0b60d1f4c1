import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { setBlocksSchema } from "#app/availability/fields.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import {
  filterOf,
  filterSchema,
  listSchema,
  MOST_ROWS_UNPAGED,
  searchSchema,
} from "./list-fields.ts";

const captain = (key: string, name: string, formerNames: string[] = []) =>
  ({ key, name, formerNames }) as unknown as Counselor;
const catalogue = {
  counselors: [captain("a", "Capt. A", ["Captain Before"]), captain("b", "Capt. B")],
};

const faultsOf = (schema: z.ZodType, input: object) =>
  schema
    .safeParse(input)
    .error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? [];

describe("the filters of the list", () => {
  it("left empty are none", () => {
    const empty = { startDate: "", endDate: "", counselor: "", status: "", q: "" };
    const none = { startDate: undefined, endDate: undefined, status: undefined, q: undefined };
    expect(filterOf(catalogue, filterSchema.parse(empty))).toEqual({
      ok: true,
      value: { ...none, counselorKey: undefined },
    });
    expect(filterSchema.parse({})).toEqual({});
  });

  it("keep the order of the filter bar's fields, by which an address is known again", () => {
    const asked = {
      startDate: "2026-12-01",
      endDate: "2026-12-31",
      counselor: "Capt. A",
      status: "confirmed",
      q: "Asha",
      package: "30",
      attendance: "none",
      refunded: "yes",
      sort: "date",
    };
    expect(Object.keys(listSchema.parse(asked))).toEqual(Object.keys(asked));
  });

  it("are taken as chosen, the captain by key", () => {
    const dates = { startDate: "2026-12-01", endDate: "2026-12-31" };
    const query = filterSchema.parse({
      ...{ ...dates, counselor: "capt. b", q: " Jose\u0301 ", status: "confirmed,rescheduled" },
      ...{ package: "45", attendance: "none" },
    });
    const filter = { ...dates, counselorKey: "b", q: "José", minutes: 45, attendance: "none" };
    const statuses = ["confirmed", "rescheduled"];
    expect(filterOf(catalogue, query)).toEqual({ ok: true, value: { ...filter, statuses } });
    for (const wrong of [
      { status: "confirmed,gone" },
      { package: "20" },
      { attendance: "late" },
      { refunded: "maybe" },
    ]) {
      expect(filterSchema.safeParse(wrong).success).toBe(false);
    }
  });

  it("name a captain of the catalogue, by any name they had", () => {
    const keyOf = (counselor: string) => {
      const filter = filterOf(catalogue, { counselor });
      return filter.ok ? filter.value.counselorKey : filter.errors;
    };
    expect(keyOf("Captain Before")).toBe("a");
    expect(keyOf("Capt. A")).toBe("a");
    expect(keyOf("Nobody")).toEqual({ counselor: ["Please select a captain"] });
  });

  it.each<[object, string[]]>([
    [{ startDate: "2026-12-01", endDate: "2026-12-01" }, []],
    [{ startDate: "2026-12-02" }, []],
    [{ endDate: "2026-12-02" }, []],
    [
      { startDate: "2026-12-02", endDate: "2026-12-01" },
      ["endDate: Please end the range on or after its start"],
    ],
    [{ startDate: "2026-02-30" }, ["startDate: Please select a date that exists"]],
    [{ counselor: " " }, ["counselor: Please select a captain"]],
    [{ status: "gone" }, ["status: Please select a status from the list"]],
    [{ q: "x".repeat(100) }, []],
    [{ q: "x".repeat(101) }, ["q: Please search for at most 100 characters"]],
  ])("%j: %j", (input, faults) => {
    for (const schema of [filterSchema, listSchema])
      expect(faultsOf(schema, input)).toEqual(faults);
  });
});

describe("the pages of a list", () => {
  const whole = "Please send a whole number";
  const from1 = (most: number) => `Please send a number from 1 to ${most}`;

  it.each<[string, string, string | null]>([
    ["page", "1000000", null],
    ["page", "1000001", from1(1_000_000)],
    ["page", "0", from1(1_000_000)],
    ["page", "10000000", whole],
    ["page", "1.5", whole],
    ["page", "-1", whole],
    ["pageSize", "1000", null],
    ["pageSize", "1001", from1(1_000)],
    ["pageSize", "0", from1(1_000)],
    ["pageSize", "", null],
  ])("%s %j: %s", (field, text, fault) => {
    for (const schema of [listSchema, searchSchema]) {
      const faults = faultsOf(schema, { [field]: text });
      expect(faults[0]?.replace(`${field}: `, "") ?? null).toBe(fault);
    }
  });

  it("are numbers, and a list without them is bounded", () => {
    expect(listSchema.parse({ page: "2", pageSize: "25" })).toEqual({ page: 2, pageSize: 25 });
    expect(MOST_ROWS_UNPAGED).toBe(10_000);
  });
});

describe("times to block", () => {
  const day = { counselor: "Capt. A", date: "2026-12-01", action: "block" };
  const faults = (changes: object) => faultsOf(setBlocksSchema, { ...day, ...changes });

  it("are sorted and counted once, from the list", () => {
    const timeSlotsToBlock = ["10:30", "08:00", "10:30"];
    expect(setBlocksSchema.parse({ ...day, timeSlotsToBlock })).toMatchObject({
      timeSlotsToBlock: ["08:00", "10:30"],
    });
    const none = "timeSlotsToBlock: At least one time slot must be selected";
    const unknown = "timeSlotsToBlock: Please select time slots from the list";
    expect(faults({ timeSlotsToBlock: [] })).toEqual([none]);
    expect(faults({ timeSlotsToBlock: "08:00" })).toEqual([none]);
    expect(faults({ timeSlotsToBlock: ["10:15"] })).toEqual([unknown]);
    expect(faults({ timeSlotsToBlock: Array(100).fill("08:00") })).toEqual([]);
    expect(faults({ timeSlotsToBlock: Array(101).fill("08:00") })).toEqual([unknown]);
  });

  it("have a reason of at most 200 characters", () => {
    const times = { timeSlotsToBlock: ["08:00"] };
    expect(faults({ ...times, reason: "x".repeat(200) })).toEqual([]);
    expect(faults({ ...times, reason: "x".repeat(201) })).toHaveLength(1);
    expect(faults({ ...times, date: "" })).toContain("date: Date is required");
  });
});
