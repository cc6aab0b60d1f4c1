import { api, failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { appointmentJson } from "#app/api-contract/appointment.ts";
import { verifyPaymentSchema } from "#app/api-contract/payments.ts";
import { rupeesOf } from "#app/lib/money.ts";
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
