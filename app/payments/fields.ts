import { z } from "zod";
import { isId } from "#app/model/ids.ts";

const appointmentIdSchema = z
  .string({ error: "Please send the id of the booking" })
  .refine(isId, "This is not the id of a booking");

/** `windowClosed`: sent by our page, whose payment window was closed without an answer. */
export const createOrderSchema = z.object({
  appointmentId: appointmentIdSchema,
  windowClosed: z.boolean().optional(),
});

const text = (message: string) =>
  z.string({ error: message }).trim().min(1, message).max(200, message);

/** The names are those of the provider's checkout. */
export const verifyPaymentSchema = z.object({
  razorpay_order_id: text("Please send the order's id"),
  razorpay_payment_id: text("Please send the payment's id"),
  razorpay_signature: text("Please send the signature"),
  appointmentId: appointmentIdSchema,
});

const paymentId = z.string().default("");

/** The payment that is unmatched, or whose refund is tried again. */
export const paymentIdSchema = z.object({ paymentId });

/** `warned`: "no" if the form showed no dispute. */
export const refundUnmatchedSchema = z.object({ paymentId, warned: z.string().optional() });

export const assignPaymentSchema = z.object({ paymentId, appointmentId: z.string().default("") });

const NOTHING_SOUGHT = "Please enter a name, a phone number or an ID";

export const seekBookingSchema = z.object({
  paymentId,
  q: z.string({ error: NOTHING_SOUGHT }).trim().min(1, NOTHING_SOUGHT).max(100),
});
