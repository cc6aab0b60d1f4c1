import { actorOf } from "#app/auth/require-admin.server.ts";
import { changeOfferSettings } from "#app/catalogue/change-offer.server.ts";
import { linksSchema } from "#app/catalogue/fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  PUT: withBody(linksSchema, ({ links, version }, { deps, context }) => {
    const done = changeOfferSettings(deps, actorOf(context), { links }, version);
    return outcomeJson(done, (catalogue) => ({
      links: catalogue.links,
      version: catalogue.version,
    }));
  }),
});

export { route as action, route as loader };
