/** The sign-in card, and the session token that the browser stores beside the cookie. */
import { type FieldMetadata, getFormProps } from "@conform-to/react";
import { useEffect, useState } from "react";
import { Form, href, useRevalidator } from "react-router";
import { BookingRequestError, bookingRequest } from "#app/components/api-client.ts";
import { TextField } from "#app/components/field.tsx";
import type { FieldErrors } from "#app/model/outcome.ts";
import { type Reply, UNSENT } from "./form-data.ts";
import { SubmitButton, useAnsweredForm } from "./form-page.tsx";
import { Problem, type Refusal, Unseen } from "./page-parts.tsx";

export interface SignInRefusal extends Refusal {
  reply: Reply;
  /** The account has a second factor: the form asks for its code. */
  secondFactor: boolean;
  /** A form whose session had ended, to be carried back to its page. */
  unsent?: string | undefined;
}

interface LoginCardProps {
  refusal: SignInRefusal | null;
  /** The admin page that was requested. */
  next: string;
}

export function LoginCard({ refusal, next }: LoginCardProps) {
  const unsent = refusal?.unsent;
  const restoring = useStoredSession(unsent === undefined ? null : next);
  const [form, fields, { onInput }] = useAnsweredForm<LoginName>("login", refusal?.reply);
  return (
    <section aria-labelledby="sign-in" className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>Admin Dashboard</title>
      <h1 id="sign-in" className="display text-2xl">
        Admin Dashboard
      </h1>
      <p className="mb-5 text-muted">Sign in to manage appointments</p>
      <Problem refusal={refusal?.reply.error ? null : refusal} />
      <Form
        {...getFormProps(form)}
        method="post"
        // An unsent form has to be submitted by the browser, not by script.
        reloadDocument={unsent !== undefined}
        onInput={onInput}
        className="grid gap-4"
      >
        <Unseen fields={{ next, [UNSENT]: unsent }} />
        <LoginFields fields={fields} secondFactor={refusal?.secondFactor ?? false} />
        <SubmitButton pending="Signing In..." className="w-full">
          Sign In
        </SubmitButton>
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

export type LoginName = "username" | "password" | "totp";

interface LoginFieldsProps {
  fields: Readonly<Record<LoginName, FieldMetadata<string>>>;
  secondFactor: boolean;
}

export function LoginFields({ fields, secondFactor }: LoginFieldsProps) {
  return (
    <>
      <TextField
        field={fields.username}
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
      />
      <TextField
        field={fields.password}
        label="Password"
        type="password"
        autoComplete="current-password"
        maxLength={200}
      />
      {secondFactor && (
        <TextField
          field={fields.totp}
          label="Code of your authenticator app"
          hint="Six digits, or one of your recovery codes."
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={32}
        />
      )}
    </>
  );
}

/** Signs in through the API: the browser stores the token, which is exchanged for the cookie. */
export async function signInByCalls(form: Partial<Record<LoginName, string>>) {
  const { username = "", password = "", totp } = form;
  const signedIn = await bookingRequest<{ token: string; admin: { username: string } }>(
    "POST",
    href("/api/admin/login"),
    { username, password, ...(totp ? { totp } : {}) },
  );
  await cookieFor(signedIn.token);
  storeSession(signedIn.token, signedIn.admin);
  return signedIn.admin;
}

/** Sets the cookie of the token's session; returns its account. */
async function cookieFor(token: string): Promise<{ username: string }> {
  const headers = { Authorization: `Bearer ${token}` };
  const path = href("/api/admin/session");
  return (await bookingRequest<{ admin: { username: string } }>("POST", path, undefined, headers))
    .admin;
}

export function signInRefusal(error: unknown, username = "", askedForCode = false): SignInRefusal {
  const known = error instanceof BookingRequestError ? error : { message: NO_SERVER };
  return refusalOf(known, username, askedForCode);
}

export function refusalOf(
  { message, errors = {} }: { message: string; errors?: FieldErrors },
  username: string,
  askedForCode: boolean,
): SignInRefusal {
  const wrong = Object.keys(errors).length > 0;
  return {
    title: "Login Failed",
    message,
    reply: {
      initialValue: { username },
      ...(wrong ? { status: "error" as const, error: errors } : {}),
    },
    secondFactor: askedForCode || errors.totp !== undefined,
  };
}

const NO_SERVER = "The server cannot be reached. Please try again.";

/** Exchanges a stored token for the cookie. `formAt` is the page of an unsent form, if any. */
function useStoredSession(formAt: string | null): boolean {
  const [restoring, setRestoring] = useState(false);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!storedToken()) return;
    setRestoring(true);
    restoreSession()
      .then((admin) => {
        if (!admin) return;
        const form = document.querySelector<HTMLFormElement>("form#login");
        if (formAt === null || !form) return revalidate();
        form.action = formAt;
        form.submit();
      })
      .finally(() => setRestoring(false));
  }, [revalidate, formAt]);
  return restoring;
}

/** Exchanges the stored token for the cookie; returns its account, null without a live session. */
export async function restoreSession(): Promise<{ username: string } | null> {
  const token = storedToken();
  if (!token) return null;
  return await cookieFor(token).catch((error) => {
    if (error instanceof BookingRequestError && error.status === 401) forgetSession();
    return null;
  });
}

/** What the browser stores beside the cookie, under the names of the specification. */

const TOKEN = "admin_token";
const ADMIN = "admin_user";

function storeSession(token: string, admin: { username: string }): void {
  withStorage((storage) => {
    storage.setItem(TOKEN, token);
    storage.setItem(ADMIN, JSON.stringify(admin));
  });
}

/** The token, if both entries exist. */
export function storedToken(): string | null {
  return withStorage((storage) =>
    storage.getItem(ADMIN) === null ? null : storage.getItem(TOKEN),
  );
}

export function forgetSession(): void {
  withStorage((storage) => {
    storage.removeItem(TOKEN);
    storage.removeItem(ADMIN);
  });
}

/** Null if storage is full or forbidden: the cookie is enough for the session. */
function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
