import { failureJson } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";

const route = () => failureJson(failure("not_found", "There is no such call."));

export { route as action, route as loader };
