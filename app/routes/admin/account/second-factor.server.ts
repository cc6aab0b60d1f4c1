/** The presses of the second factor: set up, turn on, turn off. */
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  shownTotp,
  type TotpSetup,
} from "#app/auth/account.server.ts";
import { passwordAndCodeSchema } from "#app/auth/fields.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { type AccountPress, type Answer, HERE, shown } from "./answers.server.ts";
import { qrCode } from "./qr-code.server.ts";

export async function beginSetup({ deps, session, intent }: AccountPress): Promise<Answer> {
  const setup = setupView(beginTotp(deps, session.admin));
  return { refusal: null, reply: null, ...shown(intent, setup) };
}

export async function turnOn({ deps, session, form, intent }: AccountPress): Promise<Answer> {
  const done = await carryOut(form, passwordAndCodeSchema, ({ currentPassword, totp }) =>
    confirmTotp(deps, session, { currentPassword, code: totp }),
  );
  if (!done.ok) {
    const setup = setupView(shownTotp(deps, session.admin));
    return done.refuse("Second Factor Not Turned On", shown(intent, setup));
  }
  const { recoveryCodes } = done.value;
  return { refusal: null, reply: null, ...shown(intent, null, recoveryCodes) };
}

export async function turnOff({ deps, session, form, intent }: AccountPress): Promise<Answer> {
  const done = await carryOut(form, passwordAndCodeSchema, ({ currentPassword, totp }) =>
    disableTotp(deps, session, { currentPassword, code: totp }),
  );
  if (!done.ok) return done.refuse("Second Factor Not Turned Off", shown(intent));
  return goOn(deps, HERE, {
    title: "Second Factor Off",
    description: "Signing in asks for the password only.",
  });
}

function setupView(begun: Outcome<TotpSetup>) {
  return begun.ok ? { secret: begun.value.secret, qr: qrCode(begun.value.uri) } : null;
}
