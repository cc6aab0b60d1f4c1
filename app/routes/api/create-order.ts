import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { isoInstant } from "#app/model/dates.ts";
import { rupeesOf } from "#app/model/money.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { createOrderSchema } from "#app/payments/fields.ts";

const route = methods({
  POST: withBody(createOrderSchema, async (body, { deps }) => {
    return outcomeJson(await createOrder(deps, body.appointmentId), (order) => {
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
    });
  }),
});

export { route as action, route as loader };
