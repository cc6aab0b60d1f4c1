/** Refusing what a role may not do. The activity log keeps what was asked for, and by whom. */
import { type Actor, accountNamed } from "#app/model/actor.ts";
import { DAY } from "#app/model/duration.ts";
import { type Failure, FORBIDDEN } from "#app/model/outcome.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { countersByEnv } from "./counters.server.ts";
import type { Deps } from "./deps.server.ts";

/** A person who tries again and again does not fill the log. */
const counters = countersByEnv({ forbidden: { points: 30, windowMs: DAY } });

type Account = Parameters<typeof accountNamed>[0];

/** `asked` says what was asked for, and names nobody. */
export function forbid(
  deps: Pick<Deps, "db" | "env" | "now">,
  account: Account,
  asked: string,
): Failure {
  const at = deps.now();
  const { forbidden } = counters(deps.env);
  if ("count" in forbidden.take({ about: account.username }, at)) {
    logActivity(deps.db, { at, ...accountNamed(account), action: "forbidden", after: { asked } });
  }
  return FORBIDDEN;
}

/** Null where the role may do it; a customer acts on the own booking. Refusal: `forbidden`. */
export function refuseRole(
  deps: Pick<Deps, "db" | "env" | "now">,
  actor: Actor,
  subject: Subject,
  asked: string,
): Failure | null {
  if (actor.kind === "customer" || mayDo(actor.role, subject)) return null;
  return forbid(deps, actor, asked);
}
