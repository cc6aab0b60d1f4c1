import type { AppointmentSort } from "#app/model/appointment.ts";
import { lookUp } from "#app/model/unknown-code.ts";

export const USUAL_SORT: AppointmentSort = "-date";

export const SORT_LABELS: Readonly<Record<AppointmentSort, string>> = {
  "-date": "Newest session first",
  date: "Oldest session first",
  "-created": "Newest booking first",
  created: "Oldest booking first",
  "-amount": "Highest amount first",
  amount: "Lowest amount first",
};

export const sortLabel = lookUp(SORT_LABELS);
