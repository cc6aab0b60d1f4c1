/** What no admin call answers is behind the gate too: without a session nothing is told. */
import { failureJson, methods } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";

const answer = () => failureJson(failure("not_found", "There is no such call."));
const route = methods({ GET: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer });

export { route as action, route as loader };
