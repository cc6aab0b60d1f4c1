import { actorOf } from "#app/auth/require-admin.server.ts";
import { changePackage } from "#app/catalogue/change-offer.server.ts";
import { packageSchema } from "#app/catalogue/fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  PUT: withBody(packageSchema, (body, { deps, context, params }) => {
    const done = changePackage(deps, actorOf(context), Number(params.minutes), body);
    return outcomeJson(done, (sessionPackage) => sessionPackage);
  }),
});

export { route as action, route as loader };
