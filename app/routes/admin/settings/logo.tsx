/** Takes the picture that the logo's form sends, and shows why one was refused. */
import { data, Form, href } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { FieldError } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { check, versionSchema } from "#app/model/fields.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { actorOf, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { changeLogo, readSettings } from "#app/settings/change-settings.server.ts";
import type { Route } from "./+types/logo";

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

interface LogoPartProps {
  logo: string | null;
  version: string;
  /** What was wrong with the file that was sent. */
  errors?: string[] | undefined;
}

function LogoPart({ logo, version, errors }: LogoPartProps) {
  return (
    <Part
      title="Logo"
      text="Beside the brand on every page; mails and documents have the brand’s name alone. PNG, JPEG or WebP, at most 4 MB and 24 megapixels; a square one on nothing looks best."
    >
      <div className="flex flex-wrap items-end gap-4">
        {logo && <Portrait portrait={logo} alt="The logo" size={64} className="size-16" />}
        <Form
          // Empty again after an upload.
          key={logo}
          method="post"
          action={`${href("/admin/settings/logo")}?version=${version}`}
          encType="multipart/form-data"
          className="grid min-w-0 flex-1 basis-64 gap-3"
        >
          <div>
            <label htmlFor="logo" className="block font-semibold">
              New logo
            </label>
            <input
              id="logo"
              type="file"
              name="logo"
              accept="image/png,image/jpeg,image/webp"
              required
              aria-invalid={errors ? true : undefined}
              aria-describedby={errors ? "logo-error" : undefined}
              className="input mt-1.5"
            />
            <FieldError id="logo-error" errors={errors} />
          </div>
          <SubmitButton className="justify-self-start">Upload</SubmitButton>
        </Form>
      </div>
    </Part>
  );
}
