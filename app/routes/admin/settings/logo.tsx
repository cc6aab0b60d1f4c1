/** Uploads the logo, and shows why one was refused. */
import { href } from "react-router";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { pictureAction } from "#app/routes/admin/parts/forms.server.ts";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { PictureForm } from "#app/routes/admin/parts/picture-form.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { changeLogo, readSettings } from "#app/settings/change-settings.server.ts";
import type { Route } from "./+types/logo";

const FAILED = "Logo Not Changed";

function shown(deps: Deps) {
  const { logo, version } = readSettings(deps);
  return { logo, version };
}

export function loader({ context }: Route.LoaderArgs) {
  return shown(context.get(depsContext));
}

export function action(args: Route.ActionArgs) {
  return pictureAction(args, {
    failed: FAILED,
    change: changeLogo,
    shown,
    done: {
      to: href("/admin/settings"),
      title: "Logo Changed",
      description: "Pages, mails and new documents show it from now on.",
    },
  });
}

export default function ChangeLogo({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const { logo, version } = { ...loaderData, ...answer };
  return (
    <>
      <PageHead title="Logo" above={{ to: href("/admin/settings"), words: "Settings" }}>
        Beside the brand on every page, in mails and on new documents.
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <section aria-label="Logo" className="card p-5">
        <PictureForm
          name="logo"
          label="New logo"
          hint="A square one on nothing looks best."
          alt="The logo"
          picture={logo}
          to={href("/admin/settings/logo")}
          version={version}
          errors={answer?.errors}
        />
      </section>
    </>
  );
}
