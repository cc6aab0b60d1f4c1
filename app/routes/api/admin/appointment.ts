import { z } from "zod";
import { bookingIdAt, refuseAsked } from "#app/auth/own-reach.server.ts";
import { actorOf, ownCounselor } from "#app/auth/require-admin.server.ts";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import {
  editContactSchema,
  noteOnlySchema,
  versionOnlySchema,
} from "#app/booking/change-fields.ts";
import { NO_APPOINTMENT } from "#app/booking/change-rules.ts";
import { deleteAppointment } from "#app/booking/delete-appointment.server.ts";
import { editContact } from "#app/booking/edit-contact.server.ts";
import { failureJson, methods, outcomeJson, successJson, withBody } from "#app/http/json.server.ts";
import { check } from "#app/model/check.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import { appointmentDetailJson, changedJson } from "./answers.ts";

const isNoNote = (field: string) => !Object.hasOwn(noteOnlySchema.shape, field);

const route = methods({
  GET({ deps, context, params }) {
    const own = ownCounselor(context);
    if (own !== null) {
      const session = findSessionOf(deps.db, own, params.id ?? "");
      return session ? successJson(changedJson(context, session)) : failureJson(NO_APPOINTMENT);
    }
    const detail = readAppointmentDetail(deps, params.id);
    return detail ? successJson(appointmentDetailJson(detail)) : failureJson(NO_APPOINTMENT);
  },

  // Read as it comes: of a captain's a field that they may not write is refused, whatever it holds.
  PATCH: withBody(z.looseObject({}), (body, call) => {
    const { deps, context, params } = call;
    const isBeyond = ownCounselor(context) !== null && Object.keys(body).some(isNoNote);
    if (isBeyond) return failureJson(refuseAsked(call));
    const input = check(editContactSchema, body);
    if (!input.ok) return failureJson(input);
    const id = bookingIdAt(context, params.id);
    return outcomeJson(editContact(deps, actorOf(context), id, input.value), (appointment) =>
      changedJson(context, appointment),
    );
  }),

  DELETE: withBody(versionOnlySchema, (body, { deps, context, params }) => {
    const deleted = deleteAppointment(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(deleted, ({ id }) => ({ id }));
  }),
});

export { route as action, route as loader };
