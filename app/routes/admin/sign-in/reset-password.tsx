/** A new password by a code in the mail: email, then OTP, then password. */
import { href, redirect } from "react-router";
import {
  confirmedPasswordSchema,
  forgotPasswordSchema,
  verifyOtpSchema,
} from "#app/auth/fields.ts";
import {
  requestResetCode,
  resetPassword,
  verifyResetCode,
} from "#app/auth/reset-password.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { deviceHeader } from "#app/core/device-cookie.server.ts";
import { check } from "#app/model/check.ts";
import { type Fields, fieldsOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/reset-password";
import { ResetCard, type ResetStep } from "./reset-card.tsx";
import { type ResetState, readResetState, resetStateHeader } from "./reset-state.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const state = await readResetState(deps, request);
  return { state: stepView(deps, state) };
}

function stepView({ env }: Deps, state: ResetState, typedEmail?: string): ResetStep {
  if (state.step === "email") {
    return { step: "email", email: typedEmail ?? env.resetEmailDefault };
  }
  return state.step === "otp" ? { step: "otp", email: state.email } : { step: "password" };
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const client = context.get(clientContext);
  const form = fieldsOf(await request.formData());
  const state = await readResetState(deps, request);
  switch (form.intent) {
    case "cancel":
      return leave(deps, { step: "email" }, href("/admin"));
    case "restart":
      return leave(deps, { step: "email" });
    case "back":
      return leave(deps, state.step === "password" ? { ...state, step: "otp" } : state);
    case "reset":
      if (state.step === "password") return saveStep(deps, client, state, form);
      break;
    case "verify":
      if (state.step === "otp") return otpStep(deps, client, state, form);
      break;
    default:
      return emailStep(deps, client, form);
  }
  // The cookie has outlived its code meanwhile.
  return leave(deps, { step: "email" });
}

async function leave(deps: Deps, state: ResetState, to = href("/admin/reset-password")) {
  return redirect(to, {
    status: 303,
    headers: { "Set-Cookie": await resetStateHeader(deps, state) },
  });
}

async function advance(
  deps: Deps,
  state: ResetState,
  to: string,
  notice: { title: string; description: string },
) {
  return goOn(deps, to, notice, [["Set-Cookie", await resetStateHeader(deps, state)]]);
}

async function emailStep(deps: Deps, client: Client, form: Fields) {
  const input = check(forgotPasswordSchema, form);
  const outcome = input.ok ? await requestResetCode(deps, input.value.email, client) : input;
  if (!outcome.ok) {
    return refuse(outcome, "Error", { state: stepView(deps, { step: "email" }, form.email) });
  }
  const email = input.ok ? input.value.email : "";
  return advance(deps, { step: "otp", email }, href("/admin/reset-password"), {
    title: "OTP Sent",
    description: "Please check your email for the verification code.",
  });
}

async function otpStep(
  deps: Deps,
  client: Client,
  state: ResetState & { step: "otp" },
  form: Fields,
) {
  const input = check(verifyOtpSchema, { email: state.email, otp: form.otp });
  const outcome = input.ok ? await verifyResetCode(deps, input.value, client) : input;
  if (!outcome.ok) return refuse(outcome, "Invalid OTP", { state: stepView(deps, state) });
  const { email, otp } = input.ok ? input.value : { email: "", otp: "" };
  return advance(deps, { step: "password", email, otp }, href("/admin/reset-password"), {
    title: "OTP Verified",
    description: "Please enter your new password.",
  });
}

async function saveStep(
  deps: Deps,
  client: Client,
  state: ResetState & { step: "password" },
  form: Fields,
) {
  const input = check(confirmedPasswordSchema, form);
  const { email, otp } = state;
  const outcome = input.ok
    ? await resetPassword(deps, { email, otp, newPassword: input.value.newPassword }, client)
    : input;
  if (!outcome.ok) return refuse(outcome, "Reset Failed", { state: stepView(deps, state) });
  const notice = {
    title: "Password Reset Complete",
    description: "Password Reset Successful. Please login with your new password.",
  };
  return goOn(deps, href("/admin"), notice, [
    ["Set-Cookie", await resetStateHeader(deps, { step: "email" })],
    ["Set-Cookie", await deviceHeader(deps.env, outcome.value)],
  ]);
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ResetCard
      state={actionData?.state ?? loaderData.state}
      refusal={actionData?.refusal ?? null}
    />
  );
}
