/** Another captain. */

import { href } from "react-router";
import { addCounselor } from "#app/catalogue/change-counselor.server.ts";
import { counselorSchema } from "#app/catalogue/fields.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { mergedForm } from "#app/routes/admin/parts/form-data.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/new-captain";
import { CaptainForm } from "./captain-parts.tsx";
import { CatalogueHead } from "./catalogue-head.tsx";
import { NO_VALUES, withMeeting } from "./catalogue-view.server.ts";

const FAILED = "Captain Not Added";

export function loader() {
  return { values: NO_VALUES };
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const done = await carryOut(withMeeting(form), counselorSchema, (input) =>
    addCounselor(deps, actorOf(context), input),
  );
  if (!done.ok) return done.refuse(FAILED, mergedForm(form, NO_VALUES, false));
  const { key, name } = done.value;
  return goOn(deps, href("/admin/catalogue/captains/:key", { key }), {
    title: "Captain Added",
    description: `${name} is on the page and can be booked at the default times.`,
  });
}

export default function NewCaptain({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  return (
    <>
      <CatalogueHead title="New captain" />
      <Problem refusal={answer?.refusal} />
      <CaptainForm
        values={answer?.values ?? loaderData.values}
        shown={null}
        saved={null}
        reply={answer?.reply}
        portrait={null}
        sample={false}
        button="Add Captain"
      />
    </>
  );
}
