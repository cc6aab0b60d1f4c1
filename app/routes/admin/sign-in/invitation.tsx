/** The page of an invitation's link: sets the account's first password, once. */
import { data, href, Link } from "react-router";
import { confirmedPasswordSchema } from "#app/auth/fields.ts";
import { readSession } from "#app/auth/session.server.ts";
import { acceptInvitation, readInvitation } from "#app/auth/team.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { clientContext } from "#app/core/deps.server.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { PageForm, SubmitButton, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { PasswordPair } from "#app/routes/admin/parts/form-parts.tsx";
import { Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/invitation";

const page = screen({
  isOpen: true,
  find: async ({ deps, params, request }: Asked<Route.LoaderArgs>) => ({
    invited: readInvitation(deps, params.token),
    session: await readSession(deps, request),
  }),
  view: ({ about: { invited, session } }) => ({
    username: invited.ok ? invited.value.username : "",
    gone: invited.ok ? null : invited.message,
    status: invited.ok ? 200 : STATUS_OF_CODE[invited.code],
    signedInAs: session?.admin.username ?? null,
  }),
}).one({
  fields: confirmedPasswordSchema,
  run: (input, { deps, params, context }) =>
    acceptInvitation(deps, params.token, input, context.get(clientContext)),
  failed: "Password Not Set",
  done: async (device, { deps, about: { session } }) => ({
    to: href("/admin"),
    title: "Password Set",
    description: session
      ? `You are still signed in as ${session.admin.username}: log out, and sign in with it.`
      : "Please sign in with it.",
    headers: [["Set-Cookie", await deviceHeader(deps.env, device)]],
  }),
});

export const action = page.action;

export async function loader(args: Route.LoaderArgs) {
  const shown = await page.loader(args);
  return data(shown, { status: shown.view.status });
}

export default function Invitation(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { username, signedInAs, gone } = page.view;
  const reply = page.replyTo();
  return (
    <section className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>Invitation – Admin</title>
      <h1 className="display text-2xl">{gone === null ? "Welcome to the Team" : "Invitation"}</h1>
      {gone === null ? (
        <>
          <p className="mb-5 text-muted">
            Your username is <strong className="text-ink wrap-anywhere">{username}</strong>. Please
            set your password: it uses the invitation up, and you sign in with it.
          </p>
          {signedInAs !== null && (
            <p className="mb-4 rounded-sm bg-waiting-soft p-3 text-waiting-ink">
              {`In this browser ${signedInAs} is signed in. If that is not you, log out first. The password you set here is that of ${username}.`}
            </p>
          )}
          <Problem refusal={reply?.error ? null : page.refusal} />
          <PageForm id="invitation" reply={reply} className="grid gap-4">
            {/* Password managers store a password with the username beside it. */}
            <input type="hidden" autoComplete="username" value={username} readOnly />
            <PasswordPair labels={["New Password", "Confirm Password"]} />
            <SubmitButton pending="Setting...">Set Password</SubmitButton>
          </PageForm>
        </>
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
