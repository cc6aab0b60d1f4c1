/** The captain that a call names. */
import type { LoaderFunctionArgs } from "react-router";
import { refuseOthers } from "#app/auth/own-reach.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Counselor, counselorKeyed, counselorNamed } from "#app/model/catalogue.ts";
import type { Outcome } from "#app/model/outcome.ts";

type Asked = LoaderFunctionArgs & { deps: Deps };

/** Refusals: `validation_failed` for a name that is none, `forbidden` for a captain's of another. */
export function namedCounselor(call: Asked, name: string): Outcome<Counselor> {
  return own(call, counselorNamed(readCatalogue(call.deps.db), name));
}

/** The one whose key stands in the path. Refusals: `not_found`, `forbidden`. */
export function keyedCounselor(call: Asked): Outcome<Counselor> {
  return own(call, counselorKeyed(readCatalogue(call.deps.db), call.params.key ?? ""));
}

function own(call: Asked, chosen: Outcome<Counselor>): Outcome<Counselor> {
  return (chosen.ok && refuseOthers(call, chosen.value.key)) || chosen;
}
