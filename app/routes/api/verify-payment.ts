import { appointmentJson } from "#app/booking/appointment-json.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { verifyPaymentSchema } from "#app/payments/fields.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";

const route = api({
  async POST({ deps, request }) {
    const body = await readJson(request, verifyPaymentSchema);
    if (!body.ok) return failureJson(body);
    const verified = await verifyPayment(deps, {
      appointmentId: body.value.appointmentId,
      orderId: body.value.razorpay_order_id,
      paymentId: body.value.razorpay_payment_id,
      signature: body.value.razorpay_signature,
    });
    return outcomeJson(verified, ({ appointment, checking, refund }) => ({
      ...appointmentJson(appointment),
      ...(checking ? { payment: "checking" } : {}),
      ...(refund ? { refund: { status: refund.state, amount: rupeesOf(refund.amountPaise) } } : {}),
    }));
  },
});

export const loader = route;
export const action = route;
