/** What the reschedule dialog shows of a captain's day. */
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByKey, findCounselorByName } from "#app/model/catalogue.ts";
import { adminDay, dateInIndia, isCalendarDate } from "#app/model/dates.ts";
import { sessionView } from "#app/routes/admin/parts/row-views.server.ts";
import { staffSeats } from "./staff-seats.server.ts";

/** What the address or the form asks for; anything wrong gives way to what holds now. */
interface Asked {
  date?: string;
  counselor?: string;
  newTimeSlot?: string;
}

export function readView(deps: Deps, appointment: Appointment, asked: Asked) {
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
  const own = isOwn && appointment.date === date ? appointment.timeSlot : null;
  return {
    session: sessionView(appointment, now),
    captains: captains.map(({ name }) => name),
    counselor: chosen?.name ?? appointment.counselor,
    today,
    date,
    day: adminDay(date),
    times: staffSeats(deps, { ...appointment, counselorKey }, date, {
      own,
      chosen: asked.newTimeSlot,
    }),
  };
}
