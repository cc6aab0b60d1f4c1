/** Takes the picture that the portrait's form sends, and shows why one was refused. */
import { data, href } from "react-router";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { check, versionSchema } from "#app/model/fields.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { actorOf, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/portrait";
import { CATALOGUE, PortraitPart } from "./captain-parts.tsx";

const FAILED = "Portrait Not Changed";

export function loader({ params, context }: Route.LoaderArgs) {
  return { counselor: counselorOf(context.get(depsContext), params.key) };
}

/** A key that is no captain's is answered 404. */
function counselorOf({ db }: Deps, key: string) {
  const counselor = findCounselorByKey(readCatalogue(db), key);
  if (!counselor) throw data(null, { status: 404 });
  const { name, portrait, version } = counselor;
  return { key, name, portrait, version };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { name } = counselorOf(deps, params.key);
  const picture = new Uint8Array(await request.arrayBuffer());
  // The form's body is the file alone.
  const version = check(
    versionSchema,
    new URL(request.url).searchParams.get("version") ?? undefined,
  );
  const done = version.ok
    ? await changePortrait(deps, actorOf(context), params.key, picture, version.value)
    : version;
  if (!done.ok) {
    const { code, message } = done;
    const answer = {
      refusal: { title: FAILED, message },
      errors: code === "stale" ? undefined : [message],
      counselor: counselorOf(deps, params.key),
    };
    return data(answer, { status: STATUS_OF_CODE[code] });
  }
  return goOn(deps, href("/admin/catalogue/captains/:key", { key: params.key }), {
    title: "Portrait Changed",
    description: `The page shows the new portrait of ${name}.`,
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
