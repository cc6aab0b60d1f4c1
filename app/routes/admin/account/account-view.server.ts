/** The account page in words: devices, backups, the second factor. */
import { type ActionFunctionArgs, href } from "react-router";
import { encode } from "uqr";
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  shownTotp,
  type TotpSetup,
} from "#app/auth/account.server.ts";
import { passwordAndCodeSchema } from "#app/auth/fields.ts";
import type { LiveSession } from "#app/auth/session.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { isBackupLate, readLastBackup } from "#app/jobs/backups.server.ts";
import { isOffSiteLate, readLastOffSite } from "#app/jobs/off-site-copies.server.ts";
import { adminInstant } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { carryOut, goOn, type refuse } from "#app/routes/admin/parts/forms.server.ts";
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

export interface QrCode {
  /** Width and height in modules, with the quiet zone around. */
  size: number;
  path: string;
}

const QUIET_ZONE = 4;

function qrCode(text: string): QrCode {
  const { data } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
    });
  });
  return { size: data.length + 2 * QUIET_ZONE, path };
}

const MIB = 2 ** 20;
const sizeOf = (bytes: number) => `${Math.max(0.1, bytes / MIB).toFixed(1)} MB`;

/** The last good copies in words, here and off the machine; null there if none are wanted. */
export function backupView(deps: Pick<Deps, "db" | "env" | "now">) {
  const { env } = deps;
  const now = deps.now();
  const local = readLastBackup(deps);
  const { offSite } = env.backup;
  const sent = readLastOffSite(deps);
  return {
    local: {
      last:
        local &&
        `of ${adminInstant(local.at)}, ${sizeOf(local.bytes)}, made in ${(local.ms / 1000).toFixed(1)} s`,
      isLate: local !== null && isBackupLate(env, local.at, now),
    },
    offSite: offSite && {
      last: sent && `of ${adminInstant(sent.at)}, ${sizeOf(sent.bytes)}`,
      isLate: sent !== null && isOffSiteLate(offSite, sent.at, now),
    },
  };
}

/** A browser and its system, as people call them; a program by its own first word. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "A program";
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (!browser) return userAgent.split(/[\s/]/)[0] ?? "A program";
  return system ? `${browser} on ${system}` : browser;
}

/** In this order: most browsers name those before them too. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["CriOS/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["Linux", "Linux"],
] as const;
