/** The visitor's calls: free times, a booking, its order and the check of its payment. */
import { z } from "zod";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { appointmentJson } from "#app/booking/appointment-json.ts";
import { bookingFormSchema } from "#app/booking/booking-fields.ts";
import { readOwnHoldId } from "#app/booking/booking-page.server.ts";
import { refuseHoneypot } from "#app/booking/honeypot.server.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { addressKey } from "#app/core/client-address.ts";
import { ownTokenHeader, readOwnToken } from "#app/core/cookies.server.ts";
import {
  type Call,
  calls,
  keyed,
  readIdempotencyKey,
  successJson,
  withBody,
  withQuery,
} from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { isoInstant } from "#app/model/dates.ts";
import { rupeesOf } from "#app/model/money.ts";
import { success } from "#app/model/outcome.ts";
import { bookOrMove, createOrder, orderAfterWindow } from "#app/payments/create-order.server.ts";
import { createOrderSchema, verifyPaymentSchema } from "#app/payments/fields.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";
import { availabilitySchema, slotsSchema } from "./offer-query.server.ts";

const PRICE = "Please send the price of the package";

const bookingSchema = bookingFormSchema.safeExtend({
  packagePrice: z
    .union([z.number(), z.string().regex(/^\s*\d+(\.\d+)?\s*$/, PRICE)], { error: PRICE })
    .transform(Number),
  /** Sent by the booking page: whether it shows that the browser's last booking is paid. */
  knowsPaid: z.boolean().optional(),
  /** The same: until how many hours before the start it said that one may move or cancel. */
  shownCutoff: z.number().optional(),
  [HONEYPOT_FIELD]: z.unknown().optional(),
});

const route = calls({
  "api/slots": {
    GET: withQuery(slotsSchema, async ({ counselor, date, package: minutes }, call) => {
      const asked = await askedFor(counselor, call);
      return asked.ok ? success(readSlots(call.deps, { ...asked.value, date, minutes })) : asked;
    }),
  },
  "api/availability": {
    GET: withQuery(availabilitySchema, async ({ counselor, package: minutes, ...days }, call) => {
      const asked = await askedFor(counselor, call);
      if (!asked.ok) return asked;
      return success(readAvailability(call.deps, { ...asked.value, ...days, minutes }));
    }),
  },
  "api/appointments": {
    POST: keyed(
      withBody(bookingSchema, book, async ({ appointment, token }, { deps }) => {
        const headers = { "Set-Cookie": await ownTokenHeader(deps.env, token) };
        return successJson(appointmentJson(appointment), { status: 201, headers });
      }),
    ),
  },
  "api/payments/create-order": {
    POST: withBody(
      createOrderSchema,
      ({ appointmentId, windowClosed }, { deps }) =>
        (windowClosed ? orderAfterWindow : createOrder)(deps, appointmentId),
      (order, { deps }) => {
        const { id, contact } = order.appointment;
        const { name, email, phone } = contact;
        return {
          amount: rupeesOf(order.amountPaise),
          currency: order.currency,
          orderId: order.orderId,
          keyId: deps.env.razorpay.keyId,
          appointmentDetails: { id, name, email, phone },
          payBefore: isoInstant(order.window.payBefore),
          holdUntil: isoInstant(order.window.holdUntil),
        };
      },
    ),
  },
  "api/payments/verify": {
    POST: withBody(
      verifyPaymentSchema,
      (body, { deps }) =>
        verifyPayment(deps, {
          appointmentId: body.appointmentId,
          orderId: body.razorpay_order_id,
          paymentId: body.razorpay_payment_id,
          signature: body.razorpay_signature,
        }),
      ({ appointment, checking, refund }) => ({
        ...appointmentJson(appointment),
        ...(checking ? { payment: "checking" } : {}),
        ...(refund
          ? { refund: { status: refund.state, amount: rupeesOf(refund.amountPaise) } }
          : {}),
      }),
    ),
  },
});

/** The captain of a name, and the time that this browser holds itself. */
async function askedFor(counselor: string, { deps, request }: Call) {
  const chosen = counselorNamed(readBookable(deps), counselor);
  if (!chosen.ok) return chosen;
  return success({
    counselorKey: chosen.value.key,
    ownHoldId: await readOwnHoldId(deps, request),
  });
}

async function book(body: z.output<typeof bookingSchema>, { deps, client, request }: Call) {
  const key = readIdempotencyKey(request);
  if (!key.ok) return key;
  const { packagePrice, knowsPaid, shownCutoff, [HONEYPOT_FIELD]: honeypot, ...input } = body;
  const form = new FormData();
  form.set(HONEYPOT_FIELD, String(honeypot ?? ""));
  const trapped = await refuseHoneypot(form);
  if (trapped) return trapped;
  return bookOrMove(deps, input, {
    clientAddress: addressKey(client.address),
    ownToken: await readOwnToken(deps.env, request),
    knowsPaid,
    idempotencyKey: key.value,
    packagePrice,
    shownCutoff,
  });
}

export { route as action, route as loader };
