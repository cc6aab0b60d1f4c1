/** What a move of a money world is about: a person, a booking, a booking request. */
import type { Selectable } from "kysely";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { COUNSELORS } from "#app/catalogue.ts";
import { findPackage } from "#app/model/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import type { AppointmentTable } from "#db/tables.ts";
import type { BookingFacts, Person } from "./money-facts.ts";
import type { MoneyProcess } from "./money-process.ts";
import type { MoneyWorld } from "./money-world.ts";

export type Move = (world: MoneyWorld, process: MoneyProcess) => Promise<void>;

export const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;

export type BookingRow = Selectable<AppointmentTable>;

/** Few times, so that people want the same ones. */
const DAYS = [0, 1, 1, 1, 2, 2, 3, 6, 9];
const TIMES = ["09:00", "10:00", "15:00"];
const MINUTES = [30, 30, 45, 60];

export function isPaidRow({ status }: Pick<BookingRow, "status">): boolean {
  return status === "confirmed" || status === "rescheduled";
}

export function rowsOf(world: MoneyWorld): BookingRow[] {
  return world.db.allRaw<BookingRow>("SELECT * FROM appointment ORDER BY seq");
}

/** Mostly one of those that fit, now and then any; null if there is none. */
export function pickBooking(
  world: MoneyWorld,
  fits: (row: BookingRow) => boolean,
): BookingRow | null {
  const rows = rowsOf(world);
  const fitting = rows.filter(fits);
  const from = fitting.length === 0 || world.dice.often(0.07) ? rows : fitting;
  return from.length === 0 ? null : world.dice.pick(from);
}

export function pickPerson(world: MoneyWorld): Person {
  return world.dice.pick(world.people);
}

export function factsOf(world: MoneyWorld, id: string): BookingFacts {
  const facts = world.bookings.get(id);
  if (!facts) throw new Error(`a booking that nobody made: ${id}`);
  return facts;
}

export function addBooking(world: MoneyWorld, id: string, person: Person, byStaff: boolean): void {
  if (world.bookings.has(id)) return;
  world.bookings.set(id, {
    id,
    person,
    byStaff,
    payBefore: 0,
    cancelled: null,
    partsPaise: 0,
    isErased: false,
    isDeleted: false,
  });
}

/** A time, and now and then just the one that somebody else wanted and no longer holds. */
export function pickTime(world: MoneyWorld) {
  const { dice, clock } = world;
  const lost = rowsOf(world).filter(
    ({ status, hold_until, starts_at }) =>
      status === "pending_payment" && (hold_until ?? 0) < clock.now && starts_at > clock.now,
  );
  if (lost.length > 0 && dice.often(0.5)) {
    const { counselor_key, on_date, time_slot } = dice.pick(lost);
    return { counselor: nameOf(counselor_key), date: on_date, timeSlot: time_slot };
  }
  return {
    counselor: dice.pick(COUNSELORS).name,
    date: addDays(dateInIndia(clock.now), dice.pick(DAYS)),
    timeSlot: dice.pick(TIMES),
  };
}

function nameOf(key: string): string {
  return COUNSELORS.find((one) => one.key === key)?.name ?? COUNSELORS[0]!.name;
}

export function requestOf(world: MoneyWorld, { name, email, phone }: Person): BookingInput {
  const minutes = world.dice.pick(MINUTES);
  return { name, email, phone, ...pickTime(world), package: minutes };
}

/** The same form again. */
export function sameRequest(row: BookingRow, { name, phone }: Person): BookingInput {
  const { email, counselor_key, on_date: date, time_slot: timeSlot, minutes } = row;
  return {
    name,
    email,
    phone,
    date,
    timeSlot,
    package: minutes,
    counselor: nameOf(counselor_key),
  };
}

/** Rupees before GST of a package, as the page shows it now. */
export function priceNow(world: MoneyWorld, minutes: number): number {
  return findPackage(readCatalogue(world.db), minutes)!.price;
}
