import { failureJson } from "#app/api-contract/api.server.ts";
import { failure } from "#app/lib/outcome.ts";

const route = () => failureJson(failure("not_found", "There is no such call."));

export const loader = route;
export const action = route;
