import type { Deps } from "#app/core/deps.server.ts";
import { invalid, type Outcome } from "#app/model/outcome.ts";
import { hashPassword } from "./password.server.ts";
import { isWeakPassword } from "./password-strength.server.ts";
import type { AdminIdentity } from "./session.server.ts";
import { orBusy } from "./sign-in.server.ts";

const WEAK = "This password is among the first that anybody would try. Please choose another one.";

/** What is stored of a new password. Refusals: `validation_failed` (a weak one), `unavailable`. */
export async function hashNewPassword(
  { env }: Pick<Deps, "env">,
  { username, email }: Pick<AdminIdentity, "username" | "email">,
  newPassword: string,
): Promise<Outcome<string>> {
  const weak = await orBusy(isWeakPassword(newPassword, [username, email, env.business.name]));
  if (!weak.ok) return weak;
  return weak.value ? invalid({ newPassword: [WEAK] }) : orBusy(hashPassword(newPassword));
}
