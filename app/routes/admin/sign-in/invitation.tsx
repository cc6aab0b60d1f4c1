/** Where an invitation leads: the first password of an account, set once. */

import { data, href, Link } from "react-router";
import { confirmedPasswordSchema } from "#app/auth/fields.ts";
import { readSession } from "#app/auth/session.server.ts";
import { acceptInvitation, readInvitation } from "#app/auth/team.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { PasswordPair } from "#app/routes/admin/parts/form-parts.tsx";
import { carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem, type Refusal } from "#app/routes/admin/parts/notice.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/invitation";

const FAILED = "Password Not Set";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const invited = readInvitation(deps, params.token);
  if (!invited.ok) {
    const gone = { username: null, signedInAs: null, gone: invited.message };
    return data(gone, { status: STATUS_OF_CODE[invited.code] });
  }
  const session = await readSession(deps, request);
  const signedInAs = session?.admin.username ?? null;
  return data({ username: invited.value.username, signedInAs, gone: null });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const done = await carryOut(form, confirmedPasswordSchema, (input) =>
    acceptInvitation(deps, params.token, input, context.get(clientContext)),
  );
  if (!done.ok) return done.refuse(FAILED, {});
  const session = await readSession(deps, request);
  const description = session
    ? `You are still signed in as ${session.admin.username}: log out, and sign in with it.`
    : "Please sign in with it.";
  return goOn(deps, href("/admin"), { title: "Password Set", description }, [
    ["Set-Cookie", await deviceHeader(deps.env, done.value)],
  ]);
}

export default function Invitation({ loaderData, actionData }: Route.ComponentProps) {
  const { username, signedInAs, gone } = loaderData;
  const answer = useAnswer(actionData, FAILED);
  return (
    <section className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>Invitation – Admin</title>
      <h1 className="display text-2xl">{gone === null ? "Welcome to the Team" : "Invitation"}</h1>
      {gone === null ? (
        <PasswordForm username={username ?? ""} signedInAs={signedInAs} answer={answer} />
      ) : (
        <>
          <p className="mb-5 mt-2">{gone}</p>
          <Link to={href("/admin")} className="button button-quiet">
            Go to Sign In
          </Link>
        </>
      )}
    </section>
  );
}

interface PasswordFormProps {
  username: string;
  signedInAs: string | null;
  answer: { refusal: Refusal | null; reply?: Reply | null } | undefined;
}

function PasswordForm({ username, signedInAs, answer }: PasswordFormProps) {
  return (
    <>
      <p className="mb-5 text-muted">
        Your username is <strong className="text-ink wrap-anywhere">{username}</strong>. Please set
        your password: it uses the invitation up, and you sign in with it.
      </p>
      {signedInAs !== null && (
        <p className="mb-4 rounded-sm bg-waiting-soft p-3 text-waiting-ink">
          {`In this browser ${signedInAs} is signed in. If that is not you, log out first. The password you set here is that of ${username}.`}
        </p>
      )}
      <Problem refusal={answer?.reply?.error ? null : answer?.refusal} />
      <PageForm id="invitation" reply={answer?.reply ?? null} className="grid gap-4">
        {(of) => (
          <>
            {/* Password managers keep a password by the name beside it. */}
            <input type="hidden" autoComplete="username" value={username} readOnly />
            <PasswordPair of={of} labels={["New Password", "Confirm Password"]} least={12} />
            <SubmitButton pending="Setting...">Set Password</SubmitButton>
          </>
        )}
      </PageForm>
    </>
  );
}
