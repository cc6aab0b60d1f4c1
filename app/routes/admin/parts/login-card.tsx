/** The sign-in card, and the quiet way back in for a browser that still holds its token. */
import { useEffect, useRef, useState } from "react";
import { Form, href, useNavigation, useRevalidator } from "react-router";
import type { FieldErrors } from "#app/model/outcome.ts";
import { keptToken, takeToken } from "./kept-session.ts";
import { Problem } from "./notice.tsx";
import { AdminField } from "./text-field.tsx";
import { useFirstError } from "./use-first-error.ts";

export interface SignInRefusal {
  message: string;
  errors?: FieldErrors | undefined;
  /** The account has a second factor: the form asks for its code. */
  secondFactor: boolean;
  username: string;
}

interface LoginCardProps {
  refusal: SignInRefusal | null;
  /** The admin page that was asked for. */
  next: string;
}

export function LoginCard({ refusal, next }: LoginCardProps) {
  const pending = useNavigation().formMethod === "POST";
  const restoring = useKeptSession();
  const errors = refusal?.errors;
  const form = useRef<HTMLFormElement>(null);
  useFirstError(form, refusal);
  return (
    <section aria-labelledby="sign-in" className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>Admin Dashboard</title>
      <h1 id="sign-in" className="display text-2xl">
        Admin Dashboard
      </h1>
      <p className="mb-5 text-muted">Sign in to manage appointments</p>
      {refusal && !errors && <Problem title="Login Failed" message={refusal.message} />}
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <input type="hidden" name="next" value={next} />
        <AdminField
          name="username"
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          defaultValue={refusal?.username}
          errors={errors}
        />
        <AdminField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          maxLength={200}
          errors={errors}
        />
        {refusal?.secondFactor && (
          <AdminField
            name="totp"
            label="Code of your authenticator app"
            hint="Six digits, or one of your recovery codes."
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={32}
            errors={errors}
          />
        )}
        <button
          type="submit"
          className="button button-primary w-full"
          disabled={pending}
          aria-busy={pending || undefined}
        >
          {pending ? "Signing In..." : "Sign In"}
        </button>
      </Form>
      <p className="mt-4">
        <a href={href("/admin/reset-password")} className="link inline-block py-1">
          Forgot Password?
        </a>
      </p>
      <p role="status" className="text-muted empty:hidden">
        {restoring ? "Restoring your session…" : ""}
      </p>
    </section>
  );
}

/** With both entries kept and no cookie, the token is exchanged for the page's cookie. */
function useKeptSession(): boolean {
  const [restoring, setRestoring] = useState(false);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const token = keptToken();
    if (!token) return;
    setRestoring(true);
    fetch(href("/api/admin/session"), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
    })
      .then(async (response) => {
        if (response.ok) await revalidate();
        else if (response.status === 401) takeToken();
      })
      .catch(() => {})
      .finally(() => setRestoring(false));
  }, [revalidate]);
  return restoring;
}
