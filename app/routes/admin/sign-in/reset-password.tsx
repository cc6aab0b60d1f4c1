/** Resetting a password with a mailed code: email, then OTP, then password, then complete. */
import { href } from "react-router";
import { z } from "zod";
import { confirmedResetSchema, forgotPasswordSchema, verifyOtpSchema } from "#app/auth/fields.ts";
import {
  requestResetCode,
  resetPassword,
  verifyResetCode,
} from "#app/auth/reset-password.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { clientContext, type Deps } from "#app/core/deps.server.ts";
import { success } from "#app/model/outcome.ts";
import { type Asked, type Sent, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import type { GivenNotice } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/reset-password";
import { ResetCard, type ResetStep } from "./reset-card.tsx";
import { type ResetState, readResetState, resetStateHeader } from "./reset-state.server.ts";

const HERE = href("/admin/reset-password");
const EMAIL = { step: "email" } as const;
const NO_CODE = "Error";

type SentReset = Sent<Route.LoaderArgs, ResetState>;

const resetting = screen({
  isOpen: true,
  find: ({ deps, request }: Asked<Route.LoaderArgs>) => readResetState(deps, request),
  view: ({ deps, about, refused, typed }) =>
    // After a refused e-mail address, the first step is shown again.
    stepView(deps, refused && !/^(verify|reset)$/.test(typed.intent ?? "") ? EMAIL : about),
});

function stepView({ env }: Deps, state: ResetState): ResetStep {
  if (state.step === "email") return { step: "email", email: env.resetEmailDefault };
  return state.step === "otp" ? { step: "otp", email: state.email } : { step: state.step };
}

async function goTo(deps: Deps, state: ResetState, notice?: GivenNotice, to = HERE) {
  const headers = [["Set-Cookie", await resetStateHeader(deps, state)] as const];
  return { to, headers, ...notice };
}

/** The form of a button that only leads to another step. */
function wayTo(next: (sent: SentReset) => ReturnType<typeof goTo>) {
  return resetting.form({
    fields: z.object({}),
    run: () => success(null),
    failed: NO_CODE,
    done: (_, sent) => next(sent),
  });
}

const SENT = {
  title: "OTP Sent",
  description: "Please check your email for the verification code.",
};
const VERIFIED = { title: "OTP Verified", description: "Please enter your new password." };
const DONE = { title: "Password Reset Successful", description: "Your new password is set." };
const FINISHED = {
  title: "Password Reset Complete",
  description: "Please login with your new password.",
};

const { loader, action } = resetting.page({
  send: resetting.form({
    fields: forgotPasswordSchema,
    run: async ({ email }, { deps, context }) => {
      const asked = await requestResetCode(deps, email, context.get(clientContext));
      return asked.ok ? success(email) : asked;
    },
    failed: NO_CODE,
    done: (email, { deps }) => goTo(deps, { step: "otp", email }, SENT),
  }),
  // The cookie may have expired while its step was still on the screen.
  verify: resetting.form({
    fields: verifyOtpSchema.pick({ otp: true }),
    run: async ({ otp }, { deps, context, about }) => {
      if (about.step !== "otp") return success(null);
      const { email } = about;
      const verified = await verifyResetCode(deps, { email, otp }, context.get(clientContext));
      return verified.ok ? success({ email, otp }) : verified;
    },
    failed: "Invalid OTP",
    unanswered: NO_CODE,
    done: (verified, { deps }) =>
      verified ? goTo(deps, { step: "password", ...verified }, VERIFIED) : goTo(deps, EMAIL),
  }),
  reset: resetting.form({
    fields: confirmedResetSchema,
    run: async ({ newPassword }, { deps, context, about }) => {
      if (about.step !== "password") return success(null);
      const { email, otp } = about;
      return resetPassword(deps, { email, otp, newPassword }, context.get(clientContext));
    },
    failed: "Reset Failed",
    done: async (device, { deps }) => {
      if (!device) return goTo(deps, EMAIL);
      const next = await goTo(deps, { step: "complete" }, DONE);
      const known = ["Set-Cookie", await deviceHeader(deps.env, device)] as const;
      return { ...next, headers: [...next.headers, known] };
    },
  }),
  finish: wayTo(({ deps }) => goTo(deps, EMAIL, FINISHED, href("/admin"))),
  cancel: wayTo(({ deps }) => goTo(deps, EMAIL, undefined, href("/admin"))),
  restart: wayTo(({ deps }) => goTo(deps, EMAIL)),
  back: wayTo(({ deps, about }) =>
    goTo(deps, about.step === "password" ? { ...about, step: "otp" } : about),
  ),
});

export { action, loader };

export default function ResetPassword(props: Route.ComponentProps) {
  const page = useFormPage(props);
  return <ResetCard key={page.view.step} state={page.view} page={page} />;
}
