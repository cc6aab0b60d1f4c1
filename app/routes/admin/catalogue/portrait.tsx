/** Takes the picture that the portrait's form sends, and shows why one was refused. */
import { data } from "react-router";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { actorOf, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { press, useAnswer } from "#app/routes/admin/parts/press.ts";
import type { Route } from "./+types/portrait";
import { CatalogueHead } from "./catalogue-head.tsx";
import { PortraitPart } from "./portrait-part.tsx";

const FAILED = "Portrait Not Changed";

export function loader({ params, context }: Route.LoaderArgs) {
  return { counselor: counselorOf(context.get(depsContext), params.key) };
}

/** A key that is no captain's is answered 404. */
function counselorOf({ db }: Deps, key: string) {
  const counselor = findCounselorByKey(readCatalogue(db), key);
  if (!counselor) throw data(null, { status: 404 });
  const { name, portrait } = counselor;
  return { key, name, portrait };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { name } = counselorOf(deps, params.key);
  const picture = new Uint8Array(await request.arrayBuffer());
  const done = await changePortrait(deps, actorOf(context), params.key, picture);
  if (!done.ok) {
    const { code, message } = done;
    const answer = { refusal: { title: FAILED, message }, errors: [message] };
    return data(answer, { status: STATUS_OF_CODE[code] });
  }
  return goOn(deps, `/admin/catalogue/captains/${params.key}`, {
    title: "Portrait Changed",
    description: `The page shows the new portrait of ${name}.`,
  });
}

export function clientAction(args: Route.ClientActionArgs) {
  return press(args, () => FAILED);
}

export default function ChangePortrait({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData);
  return (
    <>
      <CatalogueHead title={loaderData.counselor.name} />
      <Problem refusal={answer?.refusal} />
      <PortraitPart counselor={loaderData.counselor} errors={answer?.errors} />
    </>
  );
}
