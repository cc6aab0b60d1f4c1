/** Signing in and out, and resetting a password with a mailed code. */
import {
  forgotPasswordSchema,
  loginSchema,
  resetPasswordSchema,
  verifyOtpSchema,
} from "#app/auth/fields.ts";
import { actorOf } from "#app/auth/require-admin.server.ts";
import {
  requestResetCode,
  resetPassword,
  verifyResetCode,
} from "#app/auth/reset-password.server.ts";
import {
  findSession,
  readTokens,
  sessionCookieHeader,
  signOutHeaders,
} from "#app/auth/session.server.ts";
import { signIn, signInClient, signOut } from "#app/auth/sign-in.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { calls, successJson, withBody } from "#app/http/json.server.ts";

const route = calls({
  "api/admin/login": {
    POST: withBody(
      loginSchema,
      async (body, { deps, client, request }) =>
        signIn(deps, body, await signInClient(deps, request, client)),
      async ({ token, admin, device }, { deps }) => {
        const headers = { "Set-Cookie": await deviceHeader(deps.env, device) };
        return successJson({ token, admin }, { headers });
      },
    ),
  },
  /** Ends every session whose token the request carries. */
  "api/admin/logout": {
    async POST({ deps, request }) {
      for (const token of await readTokens(deps.env, request)) signOut(deps, token);
      return successJson({}, { headers: await signOutHeaders(deps.env) });
    },
  },
  "api/admin/forgot-password": {
    POST: withBody(
      forgotPasswordSchema,
      ({ email }, { deps, client }) => requestResetCode(deps, email, client),
      () => ({}),
    ),
  },
  "api/admin/verify-otp": {
    POST: withBody(
      verifyOtpSchema,
      (body, { deps, client }) => verifyResetCode(deps, body, client),
      () => ({}),
    ),
  },
  "api/admin/reset-password": {
    POST: withBody(
      resetPasswordSchema,
      (body, { deps, client }) => resetPassword(deps, body, client),
      async (device, { deps }) => {
        const headers = { "Set-Cookie": await deviceHeader(deps.env, device) };
        return successJson({}, { headers });
      },
    ),
  },
  /** Behind the gate: sets the cookie of a session whose token the page has stored. */
  "api/admin/session": {
    async POST({ deps, context, request }) {
      const tokens = await readTokens(deps.env, request);
      const token = tokens.find((one) => findSession(deps, one))!;
      const headers = { "Set-Cookie": await sessionCookieHeader(deps.env, token) };
      const { username, role } = actorOf(context);
      return successJson({ admin: { username, role } }, { headers });
    },
  },
});

export { route as action, route as loader };
