/** Adds a captain. */
import { href } from "react-router";
import { addCounselor } from "#app/catalogue/change-catalogue.server.ts";
import { counselorSchema } from "#app/catalogue/fields.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { concurrentEdit, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/new-captain";
import { CATALOGUE, CaptainForm } from "./captain-parts.tsx";
import { NO_VALUES, withRoom } from "./catalogue-view.server.ts";

const { loader, action } = screen({
  view: (_: Shown<Route.LoaderArgs, unknown>) => ({ values: NO_VALUES }),
}).one({
  fields: counselorSchema,
  rename: withRoom,
  run: (input, { deps, actor }) => addCounselor(deps, actor, input),
  failed: "Captain Not Added",
  saved: () => NO_VALUES,
  done: ({ key, name }) => ({
    to: href("/admin/catalogue/captains/:key", { key }),
    title: "Captain Added",
    description: `${name} is on the page and can be booked at the default times.`,
  }),
});

export { action, loader };

export default function NewCaptain(props: Route.ComponentProps) {
  const page = useFormPage(props);
  return (
    <>
      <PageHead title="New captain" above={CATALOGUE} />
      <Problem refusal={page.refusal} />
      <CaptainForm
        edit={concurrentEdit(page.merged, page.view.values)}
        reply={page.replyTo()}
        captain={null}
      />
    </>
  );
}
