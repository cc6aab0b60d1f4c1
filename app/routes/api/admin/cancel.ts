import { changedAppointmentJson } from "#app/api-contract/admin-answers.ts";
import { versionOnlySchema } from "#app/api-contract/admin-fields.ts";
import { failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { rupeesOf } from "#app/lib/money.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";

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
