import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { changedAppointmentJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  async POST({ deps, actor, params, request }) {
    const body = await readJson(request, versionOnlySchema);
    if (!body.ok) return failureJson(body);
    const cancelled = cancelAppointment(deps, actor, params.id ?? "", body.value);
    return outcomeJson(cancelled, ({ appointment, refund }) => ({
      appointment: changedAppointmentJson(appointment),
      refund: refund && { status: refund.state, amount: rupeesOf(refund.amountPaise) },
    }));
  },
});

export const loader = route;
export const action = route;
