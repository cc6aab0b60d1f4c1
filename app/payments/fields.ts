import { z } from "zod";
import { isId } from "#app/model/ids.ts";

const appointmentIdSchema = z
  .string({ error: "Please send the id of the booking" })
  .refine(isId, "This is not the id of a booking");

export const createOrderSchema = z.object({ appointmentId: appointmentIdSchema });

const text = (message: string) =>
  z.string({ error: message }).trim().min(1, message).max(200, message);

/** The names are the provider's: its checkout hands them over like this. */
export const verifyPaymentSchema = z.object({
  razorpay_order_id: text("Please send the order's id").regex(
    /^order_[A-Za-z0-9]{14}$/,
    "This is not the id of an order",
  ),
  razorpay_payment_id: text("Please send the payment's id").regex(
    /^pay_[A-Za-z0-9]{14}$/,
    "This is not the id of a payment",
  ),
  razorpay_signature: text("Please send the signature"),
  appointmentId: appointmentIdSchema,
});
