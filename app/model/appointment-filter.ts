import type { AppointmentStatus, Attendance } from "./statuses.ts";

export interface AppointmentFilter {
  /** Session dates, `yyyy-MM-dd` in India, both inclusive. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  counselorKey?: string | undefined;
  /** Any of them. */
  statuses?: readonly AppointmentStatus[] | undefined;
  /** The package. */
  minutes?: number | undefined;
  /** `none`: nobody has said whether the session took place. */
  attendance?: Attendance | "none" | undefined;
  /** Only those of which money goes back or went back. */
  refunded?: boolean | undefined;
  /** Part of name, e-mail, phone or id; `#` before the last 6 or 8 characters of an id. */
  q?: string | undefined;
  /** Seek in name and phone alone. */
  ofPerson?: boolean | undefined;
}

export const APPOINTMENT_SORTS = [
  "date",
  "-date",
  "created",
  "-created",
  "amount",
  "-amount",
] as const;

/** A minus is descending. */
export type AppointmentSort = (typeof APPOINTMENT_SORTS)[number];
