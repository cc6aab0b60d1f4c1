/** A press on the account page, and what the page shows with its answer. */
import { type ActionFunctionArgs, href } from "react-router";
import type { LiveSession } from "#app/auth/session.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import type { refuse } from "#app/routes/admin/parts/forms.server.ts";
import type { TotpSetupView } from "./second-factor.tsx";

export const HERE = href("/admin/account");

export interface AccountPress {
  deps: Deps;
  session: LiveSession;
  client: Client;
  asked: ActionFunctionArgs;
  form: FormData;
  intent: string;
}

type Shown = ReturnType<typeof shown>;

export type Answer =
  | Response
  | ReturnType<typeof refuse<Shown>>
  | (Shown & { refusal: null; reply: null });

/** The secret and the recovery codes are in the answer to the press and nowhere else. */
export function shown(
  intent: string,
  setup: TotpSetupView | null = null,
  recoveryCodes: readonly string[] | null = null,
) {
  return { intent, setup, recoveryCodes };
}
