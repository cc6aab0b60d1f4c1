/** Query parameters of the list of appointments, its export, and other searchable lists. */
import { z } from "zod";
import { APPOINTMENT_SORTS, type AppointmentFilter } from "#app/model/appointment.ts";
import { type Catalogue, counselorNamed, PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { isCalendarDate } from "#app/model/dates.ts";
import { optional } from "#app/model/fields.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  ATTENDANCES,
  PAID,
} from "#app/model/statuses.ts";
import { counselorSchema } from "#app/model/text.ts";

export const MOST_ROWS_UNPAGED = 10_000;
export const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE = 1_000;

const searchText = z
  .string()
  .trim()
  .normalize("NFC")
  .max(100, "Please search for at most 100 characters");

const filterDate = z.string().trim().refine(isCalendarDate, "Please select a date that exists");

const isStatus = (text: string): text is AppointmentStatus =>
  APPOINTMENT_STATUSES.some((status) => status === text);

const packageOf = (text: string) => PACKAGE_MINUTES.find((minutes) => String(minutes) === text);

/** In the order of the filter bar's fields, by which the page knows its address again. */
const filterFields = z.object({
  startDate: optional(filterDate),
  endDate: optional(filterDate),
  counselor: optional(counselorSchema),
  /** One or several, separated by commas; `paid` stands for all paid ones. */
  status: optional(
    z
      .string()
      .overwrite((text) => text.replace(/\s/g, "").replace(/\bpaid\b/, PAID.join(",")))
      .refine((text) => text.split(",").every(isStatus), "Please select a status from the list"),
  ),
  q: optional(searchText),
  package: optional(
    z
      .string()
      .refine((text) => packageOf(text) !== undefined, "Please select a package from the list"),
  ),
  attendance: optional(
    z.enum([...ATTENDANCES, "none"], { error: "Please select an attendance from the list" }),
  ),
  refunded: optional(z.literal("yes", { error: "Please choose yes, or leave it out" })),
});

const inOrder = ({ startDate, endDate }: z.output<typeof filterFields>) =>
  startDate === undefined || endDate === undefined || startDate <= endDate;
const ORDER_FAULT = {
  path: ["endDate"],
  message: "Please end the range on or after its start",
};

/** The export takes the same filters as the list. */
export const filterSchema = filterFields.refine(inOrder, ORDER_FAULT);

export type FilterQuery = z.output<typeof filterSchema>;

/** Refusal: `validation_failed` for an unknown captain. */
export function filterOf(
  catalogue: Pick<Catalogue, "counselors">,
  { startDate, endDate, counselor, status, package: minutes, attendance, refunded, q }: FilterQuery,
): Outcome<AppointmentFilter> {
  const chosen = counselor ? counselorNamed(catalogue, counselor) : null;
  if (chosen?.ok === false) return chosen;
  return success({
    startDate,
    endDate,
    counselorKey: chosen?.value.key,
    attendance,
    q,
    statuses: status?.split(",").filter(isStatus),
    minutes: minutes === undefined ? undefined : packageOf(minutes),
    refunded: refunded === undefined ? undefined : true,
  });
}

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, "Please send a whole number")
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, `Please send a number from 1 to ${most}`);

const paging = {
  page: optional(wholeNumber(1_000_000)),
  pageSize: optional(wholeNumber(LARGEST_PAGE)),
};

export const listSchema = filterFields
  .extend({
    ...paging,
    sort: optional(z.enum(APPOINTMENT_SORTS, { error: "Please select a sorting from the list" })),
  })
  .refine(inOrder, ORDER_FAULT);

/** Query parameters of the activity log and the list of customers. */
export const searchSchema = z.object({
  ...paging,
  q: optional(searchText),
});
