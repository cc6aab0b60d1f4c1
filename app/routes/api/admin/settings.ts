/** The owner's settings and the logo. */
import { running, successJson, withBody } from "#app/http/json.server.ts";
import { settingsSchema } from "#app/model/settings-fields.ts";
import {
  changeLogo,
  changeSettings,
  readSettings,
  type SettingsNow,
} from "#app/settings/change-settings.server.ts";
import { adminCalls, isPicture, NO_PICTURE_TYPE } from "./call.server.ts";

const settingsJson = (settings: SettingsNow) => ({ settings });

const route = adminCalls({
  "api/admin/settings": {
    GET: ({ deps }) => successJson(settingsJson(readSettings(deps))),
    PATCH: withBody(
      settingsSchema,
      (body, { deps, actor }) => changeSettings(deps, actor, body),
      settingsJson,
    ),
  },
  "api/admin/settings/logo": {
    PUT: running(async ({ deps, actor, request }) => {
      if (!isPicture(request)) return NO_PICTURE_TYPE;
      return changeLogo(deps, actor, new Uint8Array(await request.arrayBuffer()));
    }, settingsJson),
  },
});

export { route as action, route as loader };
