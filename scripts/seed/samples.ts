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

function sample(
  counselor: Sample["counselor"],
  minutes: Sample["minutes"],
  day: number,
  time: string,
  bookedHoursAgo: number,
  more: Partial<Sample> = {},
): Sample {
  return { counselor, minutes, day, time, bookedHoursAgo, paid: true, ...more };
}

/** Each is booked at a time of its own and at least an hour before its session. */
export const SAMPLES: readonly Sample[] = [
  // Last week.
  sample("asha", 30, -6, "10:00", 9 * DAY),
  sample("rohan", 60, -4, "15:00", 8 * DAY, { state: "27" }),
  sample("asha", 45, -3, "11:00", 7 * DAY, {
    cancelled: true,
    by: "customer",
    changedHoursAgo: 5 * DAY,
  }),
  sample("rohan", 30, -2, "14:00", 6 * DAY, {
    movedFrom: { day: -2, time: "09:00" },
    by: "admin",
    changedHoursAgo: 4 * DAY,
  }),
  sample("asha", 45, -1, "16:00", 5 * DAY, { paid: false }),

  // Today and tomorrow.
  sample("asha", 45, 0, "10:00", 3 * DAY, {
    notes: "Should I take the Class 2 medical before my board exams?",
  }),
  sample("rohan", 60, 0, "15:00", 4 * DAY),
  sample("asha", 30, 1, "11:00", 2 * DAY),
  sample("rohan", 45, 1, "16:00", 3 * DAY, {
    movedFrom: { day: 2, time: "11:00" },
    by: "admin",
    changedHoursAgo: 8,
  }),

  // The next two weeks.
  sample("rohan", 30, 2, "09:00", DAY),
  sample("asha", 60, 3, "14:00", 2 * DAY, {
    state: "33",
    notes: "My parents join the call. We would like to compare the cadet programmes.",
  }),
  sample("rohan", 45, 4, "10:00", 0, { paid: false }),
  sample("asha", 30, 6, "15:00", 3 * DAY, {
    movedFrom: { day: 5, time: "10:00" },
    by: "customer",
    changedHoursAgo: DAY,
  }),
  sample("rohan", 60, 8, "11:00", 2 * DAY, { cancelled: true, by: "admin", changedHoursAgo: 12 }),
  sample("asha", 60, 9, "16:00", DAY, { paid: false }),
  sample("rohan", 45, 13, "09:00", 5, { state: "29" }),
];
