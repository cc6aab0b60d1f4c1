import { readCatalogue } from "#app/catalogue/read.server.ts";
import { methods, successJson } from "#app/http/json.server.ts";
import { counselorJson } from "./answers.ts";

const route = methods({
  GET({ deps }) {
    const { counselors, ...rest } = readCatalogue(deps.db);
    return successJson({ counselors: counselors.map(counselorJson), ...rest });
  },
});

export { route as action, route as loader };
