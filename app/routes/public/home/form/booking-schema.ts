/** Checks the form in the browser; loaded when a field is first focused. */
import { parseWithZod } from "@conform-to/zod/v4";
import { bookingPageSchemaOf } from "#app/booking/booking-fields.ts";
import type { Settings } from "#app/model/settings-fields.ts";

export function parseBooking(formData: FormData, askState: Settings["askState"]) {
  return parseWithZod(formData, { schema: bookingPageSchemaOf(askState) });
}
