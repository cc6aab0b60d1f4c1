/** Takes the picture that the logo's form sends, and shows why one was refused. */
import { data, href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { check, versionSchema } from "#app/model/fields.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { actorOf, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { changeLogo, readSettings } from "#app/settings/change-settings.server.ts";
import type { Route } from "./+types/logo";
import { LogoPart } from "./settings-parts.tsx";

const FAILED = "Logo Not Changed";

export function loader({ context }: Route.LoaderArgs) {
  const { logo, version } = readSettings(context.get(depsContext));
  return { logo, version: String(version) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const picture = new Uint8Array(await request.arrayBuffer());
  // The form's body is the file alone.
  const version = check(versionSchema, url.searchParams.get("version") ?? undefined);
  const done = version.ok
    ? await changeLogo(deps, actorOf(context), picture, version.value)
    : version;
  if (!done.ok) {
    const { code, message } = done;
    const errors = code === "stale" ? undefined : [message];
    const answer = { refusal: { title: FAILED, message }, errors };
    return data(answer, { status: STATUS_OF_CODE[code] });
  }
  return goOn(deps, href("/admin/settings"), {
    title: "Logo Changed",
    description: "Every page shows it from now on.",
  });
}

export default function ChangeLogo({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  return (
    <>
      <PageHead title="Logo" above={{ to: href("/admin/settings"), words: "Settings" }} />
      <Problem refusal={answer?.refusal} />
      <LogoPart {...loaderData} errors={answer?.errors} />
    </>
  );
}
