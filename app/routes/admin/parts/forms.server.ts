/** What the admin's actions share: reading a form, refusing it, and going on with a notice. */
import { data, type RouterContextProvider, redirect } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Failure, type FieldErrors, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { flashHeader } from "./flash.server.ts";
import type { Flash } from "./notice.tsx";

/** Behind the gate only. */
export function actorOf(context: Readonly<RouterContextProvider>): Actor & { kind: "admin" } {
  return { kind: "admin", username: context.get(adminContext).admin.username };
}

export type Fields = Record<string, string>;

/** The form's fields; of a repeated one the first counts. */
export function fieldsOf(form: FormData): Fields {
  const fields: Fields = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && !Object.hasOwn(fields, name)) fields[name] = value;
  }
  return fields;
}

export interface Refusal {
  /** Of the notification. */
  title: string;
  message: string;
  code: Failure["code"];
  errors: FieldErrors | undefined;
}

function refusalOf(failure: Failure, title: string): Refusal {
  return { title, message: failure.message, code: failure.code, errors: failure.errors };
}

/** Answers a form with its refusal, and with what the page is to show instead of stale data. */
export function refuse<T extends object>(failure: Failure, title: string, more: T) {
  return data(
    { refusal: refusalOf(failure, title), ...more },
    { status: STATUS_OF_CODE[failure.code], headers: retryHeaders(failure) },
  );
}

export function retryHeaders({ retryAfter }: Failure): Record<string, string> {
  return retryAfter ? { "Retry-After": String(Math.ceil(retryAfter)) } : {};
}

/** 303 to a page that tells what was done. */
export async function goOn(
  deps: Pick<Deps, "env">,
  to: string,
  notice: { title: string; description?: string; variant?: Flash["variant"] },
  headers: readonly (readonly [string, string])[] = [],
): Promise<Response> {
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  all.append("Set-Cookie", await flashHeader(deps, notice));
  return redirect(to, { status: 303, headers: all });
}
