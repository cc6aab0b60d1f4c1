import { api, failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";
import { isoInstant } from "#app/model/dates.ts";
import { rupeesOf } from "#app/model/money.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { createOrderSchema } from "#app/payments/fields.ts";

const route = api({
  async POST({ deps, request }) {
    const body = await readJson(request, createOrderSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(await createOrder(deps, body.value.appointmentId), (order) => {
      const { id, name, email, phone } = order.appointment;
      return {
        amount: rupeesOf(order.amountPaise),
        currency: order.currency,
        orderId: order.orderId,
        keyId: deps.env.razorpay.keyId,
        appointmentDetails: { id, name, email, phone },
        payBefore: isoInstant(order.payBefore),
        holdUntil: isoInstant(order.holdUntil),
      };
    });
  },
});

export const loader = route;
export const action = route;
