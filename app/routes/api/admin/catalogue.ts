import { may } from "#app/auth/require-admin.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { methods, successJson } from "#app/http/json.server.ts";
import { counselorJson, offeredCounselorJson } from "./answers.ts";

const route = methods({
  GET({ deps, context }) {
    const { counselors, ...rest } = readCatalogue(deps.db);
    const shown = may(context, "catalogue") ? counselorJson : offeredCounselorJson;
    return successJson({ counselors: counselors.map((one) => shown(one)), ...rest });
  },
});

export { route as action, route as loader };
