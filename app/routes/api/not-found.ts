/** Paths without a call. Behind the gate of the admin calls, other methods are refused first. */
import type { LoaderFunctionArgs } from "react-router";
import { calls, failureJson } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";

const answer = () => failureJson(failure("not_found", "There is no such call."));

const behindGate = calls({
  "api/admin/*": { GET: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer },
});

const route = (args: LoaderFunctionArgs) =>
  args.pattern.endsWith("api/admin/*") ? behindGate(args) : answer();

export { route as action, route as loader };
