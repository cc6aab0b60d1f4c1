import { describe, expect, it } from "vitest";
import { setBlocksSchema } from "#app/availability/fields.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { faultText } from "#tests/support/schema-faults.ts";
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

const x = (length: number) => "x".repeat(length);
const FILTERS = [
  { startDate: "2026-12-01", endDate: "2026-12-01" },
  { startDate: "2026-12-02" },
  { endDate: "2026-12-02" },
  { startDate: "2026-12-02", endDate: "2026-12-01" },
  { startDate: "2026-02-30" },
  { counselor: " " },
  { status: "gone" },
  { status: "confirmed,gone" },
  { package: "20" },
  { attendance: "late" },
  { refunded: "maybe" },
  { q: x(100) },
  { q: x(101) },
];
const PAGES = [
  ...["1", "1000000", "1000001", "0", "10000000", "1.5", "-1"].map((page) => ({ page })),
  ...["1000", "1001", "0", ""].map((pageSize) => ({ pageSize })),
];
const day = { counselor: "Capt. A", date: "2026-12-01", action: "block" };
const block = { ...day, timeSlotsToBlock: ["08:00"] };
const BLOCKS = [
  ...[[], "08:00", ["10:15"], Array(100).fill("08:00"), Array(101).fill("08:00")].map(
    (timeSlotsToBlock) => ({ ...day, timeSlotsToBlock }),
  ),
  ...[x(200), x(201)].map((reason) => ({ ...block, reason })),
  { ...block, date: "" },
];

it("the list, its filters and blocks find these faults", async () => {
  const text = faultText({
    filters: [filterSchema, FILTERS],
    "a list": [listSchema, [...FILTERS, ...PAGES]],
    "a search": [searchSchema, PAGES],
    "times to block": [setBlocksSchema, BLOCKS],
  });
  await expect(text).toMatchFileSnapshot("golden-list-faults.txt");
});

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
      ...dates,
      counselor: "capt. b",
      q: " Jose\u0301 ",
      status: "confirmed,rescheduled",
      package: "45",
      attendance: "none",
    });
    const filter = { ...dates, counselorKey: "b", q: "José", minutes: 45, attendance: "none" };
    const statuses = ["confirmed", "rescheduled"];
    expect(filterOf(catalogue, query)).toEqual({ ok: true, value: { ...filter, statuses } });
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
});

it("the pages of a list are numbers, and a list without them is bounded", () => {
  expect(listSchema.parse({ page: "2", pageSize: "25" })).toEqual({ page: 2, pageSize: 25 });
  expect(MOST_ROWS_UNPAGED).toBe(10_000);
});

it("times to block are sorted and counted once", () => {
  const timeSlotsToBlock = ["10:30", "08:00", "10:30"];
  expect(setBlocksSchema.parse({ ...day, timeSlotsToBlock })).toMatchObject({
    timeSlotsToBlock: ["08:00", "10:30"],
  });
});
