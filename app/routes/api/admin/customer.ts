import { customerJson, NO_CUSTOMER, readCustomer } from "#app/customers/read-customer.server.ts";
import { failureJson, methods, successJson } from "#app/http/json.server.ts";
import { changedAppointmentJson } from "./answers.ts";

const route = methods({
  GET({ deps, params }) {
    const detail = readCustomer(deps, params.id);
    if (!detail) return failureJson(NO_CUSTOMER);
    const appointments = detail.bookings.map(({ appointment }) =>
      changedAppointmentJson(appointment),
    );
    return successJson({ customer: { ...customerJson(detail.customer), appointments } });
  },
});

export { route as action, route as loader };
