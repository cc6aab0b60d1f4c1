/** What no admin call answers is behind the gate too: without a session nothing is told. */
import { failureJson } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";
import { adminApi } from "./call-gate.server.ts";

const answer = () => failureJson(failure("not_found", "There is no such call."));
const route = adminApi({ GET: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer });

export const loader = route;
export const action = route;
