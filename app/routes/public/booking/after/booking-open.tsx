/** Asks for the booking's email address before its page shows personal data. */
import { data, href } from "react-router";
import { openOwnSchema } from "#app/booking/change-fields.ts";
import { openBooking } from "#app/booking/self-service.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { ChangePage } from "#app/routes/public/booking/change/change-page.tsx";
import {
  changeBooking,
  changeView,
  requireBooking,
} from "#app/routes/public/booking/change/change-view.server.ts";
import { OpenForm } from "#app/routes/public/booking/open-form.tsx";
import { privateMeta } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/booking-open";

export function loader({ params, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  return changeView(deps, requireBooking(deps, params.id));
}

export async function action(args: Route.ActionArgs) {
  const { body, init } = await changeBooking(args, {
    schema: openOwnSchema,
    change: (deps, id, _, owner) => openBooking(deps, id, owner, args.request),
    done: "opened",
    headers: (cookie) => ({ "Set-Cookie": cookie }),
  });
  return data(body, init);
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Open your booking");

export default function Open({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <ChangePage
      title="Open your booking"
      // A session that is over can be opened too.
      view={{ ...view, closed: null }}
      refusal={actionData}
      targets={{ email: "open-email" }}
    >
      <OpenForm
        id="open"
        action={href("/booking/:id/open", { id: view.id })}
        reply={actionData?.reply ?? null}
        emailHint={view.emailHint}
        keeps="read what is personal"
      />
    </ChangePage>
  );
}
