/** What the form of staff's booking shows: the offer, a captain's day, and customers known by now. */
import { DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { adminDate, adminDay, dateInIndia, isCalendarDate } from "#app/model/dates.ts";
import { formatAmount, priceWords } from "#app/model/money.ts";
import { priceOf } from "#app/model/price.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { staffSeats } from "./staff-seats.server.ts";

/** By the names of the form. */
export type Typed = Readonly<Record<string, string>>;

export function typedOf(form: FormData): Typed {
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}

/** Anything wrong in what is asked for gives way to the first captain and package, and today. */
export function readNewBooking(deps: Pick<Deps, "db" | "env" | "now">, asked: Typed) {
  const { counselors, packages } = readBookable(deps);
  const today = dateInIndia(deps.now());
  const { date: wanted = "", counselor = "", package: minutes } = asked;
  const time = asked.timeSlot ?? asked.time;
  const date = isCalendarDate(wanted) && wanted >= today ? wanted : today;
  const captain = findCounselorByName({ counselors }, counselor) ?? counselors[0];
  const chosen = packages.find((one) => String(one.minutes) === minutes) ?? packages[0];
  return {
    today,
    date,
    day: adminDay(date),
    time,
    captains: counselors.map(({ name }) => name),
    counselor: captain?.name ?? "",
    minutes: String(chosen?.minutes ?? ""),
    packages: packages.map((one) => ({
      minutes: String(one.minutes),
      ...priceWords(priceOf(one.price), formatAmount),
    })),
    times:
      captain && chosen
        ? staffSeats(deps, { counselorKey: captain.key, minutes: chosen.minutes }, date, {
            chosen: time,
          })
        : [],
  };
}

const MOST_FOUND = 6;

export type FoundCustomer = ReturnType<typeof findCustomers>[number];

/** Who booked before and has these words or digits, each address and number once, the latest first. */
export function findCustomers({ db }: Pick<Deps, "db">, q: string) {
  const page = { sort: "-created", page: 1, pageSize: DEFAULT_PAGE_SIZE } as const;
  const { rows } = readAppointmentPage(db, { q }, page);
  const people = new Map<string, Appointment>();
  for (const row of rows) {
    const { email, phone } = row.contact;
    const who = `${email.toLowerCase()} ${phone}`;
    if (email && !people.has(who)) people.set(who, row);
  }
  return [...people.values()].slice(0, MOST_FOUND).map(({ id, contact, date, counselor }) => ({
    id,
    name: contact.name,
    reach: `${contact.email}, ${contact.phone}`,
    last: `Booked for ${adminDate(date)} with ${counselor}`,
  }));
}

/** The form's fields about a customer, as in the booking; none if it is gone meanwhile. */
export function customerOf({ db }: Pick<Deps, "db">, id: string): Typed {
  const booking = findAppointment(db, id);
  if (!booking) return {};
  const { contact, company, stateCode } = booking;
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    state: stateCode ?? "",
    gstin: company?.gstin ?? "",
    billingName: company?.name ?? "",
    billingAddress: company?.address ?? "",
    q: "",
  };
}
