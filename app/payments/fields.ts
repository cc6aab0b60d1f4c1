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

const paymentId = z.string().default("");

/** Of an unmatched payment, or of a refund that is tried again. */
export const paymentIdSchema = z.object({ paymentId });

const NO_APPOINTMENT = "Please enter the appointment's ID";

export const assignPaymentSchema = z.object({
  paymentId,
  /** Whole, or what the list shows of it. */
  appointmentId: z
    .string({ error: NO_APPOINTMENT })
    .trim()
    .toLowerCase()
    .transform((typed) => typed.replace(/^#/, ""))
    .refine((typed) => typed !== "", NO_APPOINTMENT),
});
