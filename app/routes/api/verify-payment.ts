import { appointmentJson } from "#app/booking/appointment-json.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { verifyPaymentSchema } from "#app/payments/fields.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";

const route = methods({
  POST: withBody(verifyPaymentSchema, async (body, { deps }) => {
    const verified = await verifyPayment(deps, {
      appointmentId: body.appointmentId,
      orderId: body.razorpay_order_id,
      paymentId: body.razorpay_payment_id,
      signature: body.razorpay_signature,
    });
    return outcomeJson(verified, ({ appointment, checking, refund }) => ({
      ...appointmentJson(appointment),
      ...(checking ? { payment: "checking" } : {}),
      ...(refund ? { refund: { status: refund.state, amount: rupeesOf(refund.amountPaise) } } : {}),
    }));
  }),
});

export { route as action, route as loader };
