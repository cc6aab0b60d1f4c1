/** The views of booking for a customer and of rescheduling: captains, times, known customers. */
import { DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { readStaffTimes } from "#app/booking/reschedule-appointment.server.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByKey, findCounselorByName, shownTotals } from "#app/model/catalogue.ts";
import { adminDate, adminDay, dateInIndia, formatSlot, isCalendarDate } from "#app/model/dates.ts";
import { formatAmount, priceOf, priceWords } from "#app/model/money.ts";
import type { Failure } from "#app/model/outcome.ts";
import type { Typed } from "#app/routes/admin/parts/form-data.ts";
import type { TimeChoice } from "#app/routes/admin/parts/time-choices.tsx";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** Invalid values are replaced by the first captain, the first package and today. */
export function readNewBooking(deps: ReadDeps, asked: Typed) {
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
    whatsapp: deps.env.whatsapp !== null,
    captains: counselors.map(({ name }) => name),
    counselor: captain?.name ?? "",
    minutes: String(chosen?.minutes ?? ""),
    shownTotal: shownTotals(packages),
    packages: packages.map((one) => ({
      minutes: String(one.minutes),
      ...priceWords(priceOf(one.price), formatAmount),
    })),
    times:
      captain && chosen
        ? staffTimeChoices(deps, { counselorKey: captain.key, minutes: chosen.minutes }, date, {
            chosen: time,
          })
        : [],
  };
}

const MOST_FOUND = 6;

export type FoundCustomer = ReturnType<typeof findCustomers>[number];

/** What the staff booking form shows in addition to its view. */
export interface Beside {
  /** Set after a search. */
  found?: readonly FoundCustomer[];
  /** The form fields of the chosen customer. */
  filled?: Typed;
  mayOverride?: boolean;
}

/** Earlier customers who match `q`, the latest booking first; each address with its number once. */
export function findCustomers({ db }: Pick<Deps, "db">, q: string) {
  const page = { sort: "-created", page: 1, pageSize: DEFAULT_PAGE_SIZE } as const;
  const { rows } = readAppointmentPage(db, { q }, page);
  const people = Map.groupBy(
    rows.filter(({ contact }) => contact.email),
    ({ contact }) => `${contact.email.toLowerCase()} ${contact.phone}`,
  );
  return [...people.values()].slice(0, MOST_FOUND).map((bookings) => {
    const { id, contact, date, counselor } = bookings[0]!;
    return {
      id,
      name: contact.name,
      reach: `${contact.email}, ${contact.phone}`,
      last: `Booked for ${adminDate(date)} with ${counselor}`,
    };
  });
}

/** The form fields of a customer, taken from their booking; empty if it has been deleted. */
export function customerOf({ db }: Pick<Deps, "db">, id: string): Typed {
  const booking = findAppointment(db, id);
  if (!booking) return {};
  const { abroad, contact, company, stateCode } = booking;
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    state: stateCode ?? "",
    gstin: company?.gstin ?? "",
    billingName: company?.name ?? abroad?.name ?? "",
    billingAddress: company?.address ?? abroad?.address ?? "",
    country: abroad?.country ?? "",
    q: "",
  };
}

/** Invalid values and past dates are replaced by the appointment's, or today. */
export function readReschedule(deps: Deps, appointment: Appointment, asked: Typed) {
  const now = deps.now();
  const today = dateInIndia(now);
  const given = [asked.date ?? "", appointment.date, today];
  const date = given.find((day) => isCalendarDate(day) && day >= today) ?? today;
  const bookable = readBookable(deps);
  const captains = readCatalogue(deps.db).counselors.filter(
    ({ key }) => key === appointment.counselorKey || findCounselorByKey(bookable, key),
  );
  const chosen = findCounselorByName({ counselors: captains }, asked.counselor ?? "");
  const counselorKey = chosen?.key ?? appointment.counselorKey;
  const isOwn = counselorKey === appointment.counselorKey;
  return {
    session: sessionView(appointment, now),
    captains: captains.map(({ name }) => name),
    counselor: chosen?.name ?? appointment.counselor,
    today,
    date,
    day: adminDay(date),
    time: asked.newTimeSlot,
    times: staffTimeChoices(deps, { ...appointment, counselorKey }, date, {
      chosen: asked.newTimeSlot,
      own: isOwn && appointment.date === date ? appointment.timeSlot : null,
    }),
  };
}

function staffTimeChoices(
  deps: Pick<Deps, "db" | "now">,
  session: Pick<Appointment, "counselorKey" | "minutes"> & { id?: string },
  date: string,
  { chosen, own }: { chosen: string | undefined; own?: string | null },
): TimeChoice[] {
  return readStaffTimes(deps, session, date).map(({ timeSlot, obstacle, isOfDay }) => ({
    value: timeSlot,
    label: formatSlot(timeSlot),
    checked: timeSlot === chosen,
    note: timeSlot === own ? "now" : (obstacle ?? (isOfDay ? null : "outside hours")),
    off: obstacle !== null,
  }));
}

/** Whether staff may use a time that only buffer, leave or an imported calendar takes. */
export function mayOverride({ code, errors }: Failure): Beside {
  return { mayOverride: code === "slot_taken" && errors?.timeSlot !== undefined };
}
