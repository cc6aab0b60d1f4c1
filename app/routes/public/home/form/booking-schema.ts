/** The form's schema in the browser; loaded when the visitor first touches the form. */
import { parseWithZod } from "@conform-to/zod/v4";
import { bookingPageSchemaOf } from "#app/booking/booking-fields.ts";
import type { Settings } from "#app/model/settings.ts";

export function parseBooking(formData: FormData, askState: Settings["askState"]) {
  return parseWithZod(formData, { schema: bookingPageSchemaOf(askState) });
}
