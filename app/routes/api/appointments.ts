import { z } from "zod";
import { appointmentJson } from "#app/booking/appointment-json.ts";
import { bookingFormSchema } from "#app/booking/booking-fields.ts";
import { refuseHoneypot } from "#app/booking/honeypot.server.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { addressKey } from "#app/core/client-address.ts";
import { ownTokenHeader, readOwnToken } from "#app/core/cookies.server.ts";
import {
  failureJson,
  methods,
  readIdempotencyKey,
  successJson,
  withBody,
} from "#app/http/json.server.ts";
import { bookOrMove } from "#app/payments/book-or-move.server.ts";

const bodySchema = bookingFormSchema.safeExtend({
  packagePrice: z.coerce
    .number({ error: "Please send the price of the package" })
    .refine(Number.isFinite, "Please send the price of the package"),
  /** Of our page: whether it says that the browser's last booking is paid. */
  knowsPaid: z.boolean().optional(),
  [HONEYPOT_FIELD]: z.unknown().optional(),
});

const route = methods({
  POST: withBody(bodySchema, async (body, { deps, client, request }) => {
    const key = readIdempotencyKey(request);
    if (!key.ok) return failureJson(key);
    const { packagePrice, knowsPaid = true, [HONEYPOT_FIELD]: honeypot, ...input } = body;
    const trapped = await refuseHoneypot(formOf(honeypot));
    if (trapped) return failureJson(trapped);
    const booked = await bookOrMove(deps, input, {
      clientAddress: addressKey(client.address),
      ownToken: await readOwnToken(deps.env, request),
      knowsPaid,
      idempotencyKey: key.value,
      packagePrice,
    });
    if (!booked.ok) return failureJson(booked);
    const { appointment, token } = booked.value;
    return successJson(appointmentJson(appointment), {
      status: 201,
      headers: { "Set-Cookie": await ownTokenHeader(deps.env, token) },
    });
  }),
});

/** The one field, as a form would bring it. */
function formOf(honeypot: unknown): FormData {
  const form = new FormData();
  form.set(HONEYPOT_FIELD, String(honeypot ?? ""));
  return form;
}

export { route as action, route as loader };
