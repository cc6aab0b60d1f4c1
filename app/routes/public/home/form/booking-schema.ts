/** The form's schema in the browser; loaded when the visitor first touches the form. */
import { parseWithZod } from "@conform-to/zod/v4";
import { bookingFormSchemaOf, type Choices } from "#app/booking/booking-fields.ts";

export function parseBooking(formData: FormData, choices: Choices) {
  return parseWithZod(formData, { schema: bookingFormSchemaOf(choices) });
}
