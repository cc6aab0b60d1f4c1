import { actorOf } from "#app/auth/require-admin.server.ts";
import { readCustomerData } from "#app/customers/customer-data.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";

const route = methods({
  GET({ deps, context, params }) {
    return outcomeJson(readCustomerData(deps, actorOf(context), params.id), (file) => file);
  },
});

export { route as action, route as loader };
