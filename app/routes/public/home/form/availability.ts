/** Free days and times, asked of `/api` and kept until something shows that they have changed. */
import type { Availability, Slots } from "#app/availability/read-slots.server.ts";
import { bookingQuery, forget, query } from "#app/components/api-client.ts";

interface Answer<T> {
  status: string;
  data: T;
}

export interface SlotQuery {
  counselor: string;
  date: string;
  /** Minutes as text; empty while no package is chosen. */
  package: string;
}

/** Bookable times of a date, ascending: the available ones if any, otherwise the defaults. */
export async function fetchSlots({ counselor, date, package: minutes }: SlotQuery) {
  const search = new URLSearchParams({ counselor, date, ...(minutes && { package: minutes }) });
  const { availableSlots, defaultSlots } = await bookingQuery<Slots>(`/api/slots?${search}`);
  return availableSlots.length > 0 ? availableSlots : defaultSlots;
}

export async function fetchAvailability(
  counselor: string,
  from: string,
  to: string,
  minutes: string,
): Promise<Availability> {
  const search = new URLSearchParams({ counselor, from, to, ...(minutes && { package: minutes }) });
  const answer = await query<Answer<Availability>>(["/api", `availability?${search}`]);
  return answer!.data;
}

export function forgetAvailability(): void {
  forget("/api/slots");
  forget("/api/availability");
}
