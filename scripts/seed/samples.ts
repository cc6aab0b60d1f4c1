/** The sample appointments: plainly samples, with no name that could be somebody's. */

interface When {
  /** Days from today; negative is past. */
  day: number;
  time: string;
}

export interface Sample extends When {
  counselor: "asha" | "rohan";
  minutes: 30 | 45 | 60;
  bookedHoursAgo: number;
  paid: boolean;
  /** Where it was before it was moved to `day` and `time`. */
  movedFrom?: When;
  cancelled?: boolean;
  /** Of the move or cancellation, which took place so many hours ago. */
  by?: "admin" | "customer";
  changedHoursAgo?: number;
  /** GST state code. */
  state?: string;
  notes?: string;
}

const DAY = 24;

/** Each is booked at a time of its own and at least an hour before its session. */
export const SAMPLES: readonly Sample[] = [
  // Last week.
  { counselor: "asha", minutes: 30, day: -6, time: "10:00", bookedHoursAgo: 9 * DAY, paid: true },
  {
    counselor: "rohan",
    minutes: 60,
    day: -4,
    time: "15:00",
    bookedHoursAgo: 8 * DAY,
    paid: true,
    state: "27",
  },
  {
    counselor: "asha",
    minutes: 45,
    day: -3,
    time: "11:00",
    bookedHoursAgo: 7 * DAY,
    paid: true,
    cancelled: true,
    by: "customer",
    changedHoursAgo: 5 * DAY,
  },
  {
    counselor: "rohan",
    minutes: 30,
    day: -2,
    time: "14:00",
    bookedHoursAgo: 6 * DAY,
    paid: true,
    movedFrom: { day: -2, time: "09:00" },
    by: "admin",
    changedHoursAgo: 4 * DAY,
  },
  { counselor: "asha", minutes: 45, day: -1, time: "16:00", bookedHoursAgo: 5 * DAY, paid: false },

  // Today and tomorrow.
  {
    counselor: "asha",
    minutes: 45,
    day: 0,
    time: "10:00",
    bookedHoursAgo: 3 * DAY,
    paid: true,
    notes: "Should I take the Class 2 medical before my board exams?",
  },
  { counselor: "rohan", minutes: 60, day: 0, time: "15:00", bookedHoursAgo: 4 * DAY, paid: true },
  { counselor: "asha", minutes: 30, day: 1, time: "11:00", bookedHoursAgo: 2 * DAY, paid: true },
  {
    counselor: "rohan",
    minutes: 45,
    day: 1,
    time: "16:00",
    bookedHoursAgo: 3 * DAY,
    paid: true,
    movedFrom: { day: 2, time: "11:00" },
    by: "admin",
    changedHoursAgo: 8,
  },

  // The next two weeks.
  { counselor: "rohan", minutes: 30, day: 2, time: "09:00", bookedHoursAgo: DAY, paid: true },
  {
    counselor: "asha",
    minutes: 60,
    day: 3,
    time: "14:00",
    bookedHoursAgo: 2 * DAY,
    paid: true,
    state: "33",
    notes: "My parents join the call. We would like to compare the cadet programmes.",
  },
  { counselor: "rohan", minutes: 45, day: 4, time: "10:00", bookedHoursAgo: 0, paid: false },
  {
    counselor: "asha",
    minutes: 30,
    day: 6,
    time: "15:00",
    bookedHoursAgo: 3 * DAY,
    paid: true,
    movedFrom: { day: 5, time: "10:00" },
    by: "customer",
    changedHoursAgo: DAY,
  },
  {
    counselor: "rohan",
    minutes: 60,
    day: 8,
    time: "11:00",
    bookedHoursAgo: 2 * DAY,
    paid: true,
    cancelled: true,
    by: "admin",
    changedHoursAgo: 12,
  },
  { counselor: "asha", minutes: 60, day: 9, time: "16:00", bookedHoursAgo: DAY, paid: false },
  {
    counselor: "rohan",
    minutes: 45,
    day: 13,
    time: "09:00",
    bookedHoursAgo: 5,
    paid: true,
    state: "29",
  },
];
