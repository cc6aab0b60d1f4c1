import { actorOf } from "#app/auth/require-admin.server.ts";
import { eraseCustomer } from "#app/customers/erase-customer.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";

const route = methods({
  POST({ deps, context, params }) {
    return outcomeJson(eraseCustomer(deps, actorOf(context), params.id ?? ""), ({ id }) => ({
      id,
    }));
  },
});

export { route as action, route as loader };
