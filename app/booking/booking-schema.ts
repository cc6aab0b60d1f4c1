/** The booking form's one schema over the catalogue: page and JSON call share it. No side effects. */
import { COUNSELORS, PACKAGES } from "#app/catalogue.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import {
  bookingFormSchemaOf,
  counselorSchemaOf,
  packageSchemaOf,
  timeSlotSchemaOf,
} from "./booking-fields.ts";

export type { BookingInput } from "./booking-fields.ts";
export { dateSchema } from "./booking-fields.ts";

const choices = {
  counselors: COUNSELORS.map((counselor) => counselor.name),
  minutes: PACKAGES.map((sessionPackage) => sessionPackage.minutes),
  times: MASTER_TIMES,
};

export const counselorSchema = counselorSchemaOf(choices);
export const packageSchema = packageSchemaOf(choices);
export const timeSlotSchema = timeSlotSchemaOf(choices);
export const bookingFormSchema = bookingFormSchemaOf(choices);
