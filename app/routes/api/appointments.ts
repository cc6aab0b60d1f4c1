import { z } from "zod";
import { appointmentJson } from "#app/booking/appointment-json.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { bookingFormSchema } from "#app/booking/booking-schema.ts";
import { refuseHoneypot } from "#app/booking/honeypot.server.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { addressKey } from "#app/core/client-address.ts";
import { ownBookingHeader, readOwnBookingId } from "#app/core/cookies.server.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";
import { invalid } from "#app/model/outcome.ts";

const bodySchema = bookingFormSchema.extend({
  packagePrice: z.coerce
    .number({ error: "Please send the price of the package" })
    .refine(Number.isFinite, "Please send the price of the package"),
  [HONEYPOT_FIELD]: z.unknown().optional(),
});

/** Printable, and short enough for an index. */
const KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

const route = methods({
  POST: withBody(bodySchema, async (body, { deps, client, request }) => {
    const idempotencyKey = request.headers.get("idempotency-key");
    if (idempotencyKey !== null && !KEY_PATTERN.test(idempotencyKey)) {
      return failureJson(invalid({ "Idempotency-Key": ["Please send 1 to 200 plain characters"] }));
    }
    const { packagePrice, [HONEYPOT_FIELD]: honeypot, ...input } = body;
    const trapped = await refuseHoneypot(formOf(honeypot));
    if (trapped) return failureJson(trapped);
    const booked = bookSession(deps, input, {
      clientAddress: addressKey(client.address),
      ownBookingId: await readOwnBookingId(deps.env, request.headers.get("cookie")),
      idempotencyKey,
      packagePrice,
    });
    if (!booked.ok) return failureJson(booked);
    const { appointment, storedAnswer } = booked.value;
    return successJson(storedAnswer ? JSON.parse(storedAnswer) : appointmentJson(appointment), {
      status: 201,
      headers: { "Set-Cookie": await ownBookingHeader(deps.env, appointment.id) },
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
