import { actorOf } from "#app/auth/require-admin.server.ts";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { editContactSchema, versionOnlySchema } from "#app/booking/change-fields.ts";
import { NO_APPOINTMENT } from "#app/booking/change-rules.ts";
import { deleteAppointment } from "#app/booking/delete-appointment.server.ts";
import { editContact } from "#app/booking/edit-contact.server.ts";
import { failureJson, methods, outcomeJson, successJson, withBody } from "#app/http/json.server.ts";
import { appointmentDetailJson, changedAppointmentJson } from "./answers.ts";

const route = methods({
  GET({ deps, params }) {
    const detail = readAppointmentDetail(deps, params.id);
    return detail ? successJson(appointmentDetailJson(detail)) : failureJson(NO_APPOINTMENT);
  },

  PATCH: withBody(editContactSchema, (body, { deps, context, params }) => {
    const edited = editContact(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(edited, (appointment) => ({
      appointment: changedAppointmentJson(appointment),
    }));
  }),

  DELETE: withBody(versionOnlySchema, (body, { deps, context, params }) => {
    const deleted = deleteAppointment(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(deleted, ({ id }) => ({ id }));
  }),
});

export { route as action, route as loader };
