import { actorOf } from "#app/auth/require-admin.server.ts";
import { changePackage } from "#app/catalogue/change-offer.server.ts";
import { packageSchema } from "#app/catalogue/fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { PACKAGE_MINUTES } from "#app/model/catalogue.ts";

const route = methods({
  PUT: withBody(packageSchema, (body, { deps, context, params }) => {
    // As it is written: 0x1e is no package.
    const minutes = PACKAGE_MINUTES.find((one) => String(one) === params.minutes) ?? 0;
    const done = changePackage(deps, actorOf(context), minutes, body);
    return outcomeJson(done, (sessionPackage) => sessionPackage);
  }),
});

export { route as action, route as loader };
