import { actorOf } from "#app/auth/require-admin.server.ts";
import { changeOfferSettings } from "#app/catalogue/change-offer.server.ts";
import { defaultTimesSchema } from "#app/catalogue/fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  PUT: withBody(defaultTimesSchema, ({ timeSlots, version }, { deps, context }) => {
    const wish = { defaultTimes: timeSlots };
    const done = changeOfferSettings(deps, actorOf(context), wish, version);
    return outcomeJson(done, (catalogue) => ({
      timeSlots: catalogue.defaultTimes,
      defaultTimes: catalogue.defaultTimes,
      version: catalogue.version,
    }));
  }),
});

export { route as action, route as loader };
