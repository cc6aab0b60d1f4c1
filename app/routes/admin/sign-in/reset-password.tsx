/** A new password by a code in the mail: email, then OTP, then password, then complete. */
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
import { deviceHeader } from "#app/core/cookies.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { carryOut, type GivenNotice, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/reset-password";
import { ResetCard, type ResetStep } from "./reset-card.tsx";
import { type ResetState, readResetState, resetStateHeader } from "./reset-state.server.ts";

const HERE = href("/admin/reset-password");
const NO_CODE = "Error";
const RESET_FAILED = "Reset Failed";
const EMAIL = { step: "email" } as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const state = await readResetState(deps, request);
  return { state: stepView(deps, state) };
}

function stepView({ env }: Deps, state: ResetState): ResetStep {
  if (state.step === "email") return { step: "email", email: env.resetEmailDefault };
  return state.step === "otp" ? { step: "otp", email: state.email } : { step: state.step };
}

interface ResetForm {
  deps: Deps;
  client: Client;
  state: ResetState;
  form: FormData;
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const state = await readResetState(deps, request);
  const submit = submitFor(String(form.get("intent"))) ?? send;
  return submit({ deps, client: context.get(clientContext), state, form });
}

const submitFor = lookUp({ send, verify, reset, finish, cancel, restart: startAnew, back });

async function send({ deps, client, form }: ResetForm) {
  const done = await carryOut(form, forgotPasswordSchema, async ({ email }) => {
    const asked = await requestResetCode(deps, email, client);
    return asked.ok ? success(email) : asked;
  });
  if (!done.ok) return done.refuse(NO_CODE, { state: stepView(deps, EMAIL) });
  return goTo(deps, { step: "otp", email: done.value }, HERE, {
    title: "OTP Sent",
    description: "Please check your email for the verification code.",
  });
}

async function verify({ deps, client, state, form }: ResetForm) {
  if (state.step !== "otp") return startAnew({ deps });
  const { email } = state;
  const schema = verifyOtpSchema.pick({ otp: true });
  const done = await carryOut(form, schema, async ({ otp }) => {
    const verified = await verifyResetCode(deps, { email, otp }, client);
    return verified.ok ? success(otp) : verified;
  });
  if (!done.ok) return done.refuse("Invalid OTP", { state: stepView(deps, state) });
  return goTo(deps, { step: "password", email, otp: done.value }, HERE, {
    title: "OTP Verified",
    description: "Please enter your new password.",
  });
}

async function reset({ deps, client, state, form }: ResetForm) {
  if (state.step !== "password") return startAnew({ deps });
  const { email, otp } = state;
  const done = await carryOut(form, confirmedPasswordSchema, (input) =>
    resetPassword(deps, { email, otp, newPassword: input.newPassword }, client),
  );
  if (!done.ok) return done.refuse(RESET_FAILED, { state: stepView(deps, state) });
  const notice = { title: "Password Reset Successful", description: "Your new password is set." };
  return goOn(deps, HERE, notice, [
    ["Set-Cookie", await resetStateHeader(deps, { step: "complete" })],
    ["Set-Cookie", await deviceHeader(deps.env, done.value)],
  ]);
}

function finish({ deps }: ResetForm) {
  return goTo(deps, EMAIL, href("/admin"), {
    title: "Password Reset Complete",
    description: "Please login with your new password.",
  });
}

function cancel({ deps }: ResetForm) {
  return goTo(deps, EMAIL, href("/admin"));
}

function back({ deps, state }: ResetForm) {
  return goTo(deps, state.step === "password" ? { ...state, step: "otp" } : state);
}

/** Also when the cookie has ended while its step was still on the screen. */
function startAnew({ deps }: Pick<ResetForm, "deps">) {
  return goTo(deps, EMAIL);
}

async function goTo(deps: Deps, state: ResetState, to = HERE, notice?: GivenNotice) {
  const cookie = ["Set-Cookie", await resetStateHeader(deps, state)] as const;
  return notice
    ? goOn(deps, to, notice, [cookie])
    : redirect(to, { status: 303, headers: [[...cookie]] });
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, (form) =>
    form.get("intent") === "reset" ? RESET_FAILED : NO_CODE,
  );
  const state = answer?.state ?? loaderData.state;
  return <ResetCard key={state.step} state={state} refused={answer ?? null} />;
}
