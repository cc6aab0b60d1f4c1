import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { editContactSchema, versionOnlySchema } from "#app/booking/change-fields.ts";
import { NO_APPOINTMENT } from "#app/booking/change-rules.ts";
import { deleteAppointment } from "#app/booking/delete-appointment.server.ts";
import { editContact } from "#app/booking/edit-contact.server.ts";
import { failureJson, outcomeJson, readJson, successJson } from "#app/http/json.server.ts";
import { appointmentDetailJson, changedAppointmentJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  GET({ deps, params }) {
    const detail = readAppointmentDetail(deps, params.id);
    return detail ? successJson(appointmentDetailJson(detail)) : failureJson(NO_APPOINTMENT);
  },

  async PATCH({ deps, actor, params, request }) {
    const body = await readJson(request, editContactSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(editContact(deps, actor, params.id ?? "", body.value), (appointment) => ({
      appointment: changedAppointmentJson(appointment),
    }));
  },

  async DELETE({ deps, actor, params, request }) {
    const body = await readJson(request, versionOnlySchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(deleteAppointment(deps, actor, params.id ?? "", body.value), ({ id }) => ({
      id,
    }));
  },
});

export const loader = route;
export const action = route;
