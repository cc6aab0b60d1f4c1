/** The form's schema in the browser; loaded when the visitor first touches the form. */
import { parseWithZod } from "@conform-to/zod/v4";
import { bookingPageSchema } from "#app/booking/booking-fields.ts";

export function parseBooking(formData: FormData) {
  return parseWithZod(formData, { schema: bookingPageSchema });
}
