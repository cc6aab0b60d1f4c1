/** Uploads a portrait, and shows why one was refused. */
import { href } from "react-router";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { pictureAction } from "#app/routes/admin/parts/forms.server.ts";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/portrait";
import { CATALOGUE, PortraitPart } from "./captain-parts.tsx";

const FAILED = "Portrait Not Changed";

export function loader({ params, context }: Route.LoaderArgs) {
  return { counselor: counselorOf(context.get(depsContext), params.key) };
}

/** Throws a 404 page for an unknown key. */
function counselorOf({ db }: Deps, key: string) {
  const { name, portrait, version } = found(findCounselorByKey(readCatalogue(db), key));
  return { key, name, portrait, version };
}

export function action(args: Route.ActionArgs) {
  const { key } = args.params;
  const shown = (deps: Deps) => ({ counselor: counselorOf(deps, key) });
  const { name } = shown(args.context.get(depsContext)).counselor;
  return pictureAction(args, {
    failed: FAILED,
    change: (deps, actor, ...picture) => changePortrait(deps, actor, key, ...picture),
    shown,
    done: {
      to: href("/admin/catalogue/captains/:key", { key }),
      title: "Portrait Changed",
      description: `It is the portrait of ${name} from now on.`,
    },
  });
}

export default function ChangePortrait({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const counselor = answer?.counselor ?? loaderData.counselor;
  return (
    <>
      <PageHead title={counselor.name} above={CATALOGUE} />
      <Problem refusal={answer?.refusal} />
      <PortraitPart counselor={counselor} errors={answer?.errors} />
    </>
  );
}
