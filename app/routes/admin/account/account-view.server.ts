/** Views of the account page: devices, backups, the second factor. */
import { encode } from "uqr";
import type { TotpSetup } from "#app/auth/account.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { isCopyLate, readLastBackup } from "#app/jobs/backups.server.ts";
import { readLastOffSite } from "#app/jobs/off-site-copies.server.ts";
import { adminInstant } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";

export type TotpSetupView = NonNullable<ReturnType<typeof setupView>>;

export function setupView(begun: Outcome<TotpSetup>) {
  return begun.ok ? { secret: begun.value.secret, qr: qrCode(begun.value.uri) } : null;
}

/** Modules of margin around the code. */
const QUIET_ZONE = 4;

/** `size`: width and height in modules. */
function qrCode(text: string) {
  const { data } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
    });
  });
  return { size: data.length + 2 * QUIET_ZONE, path };
}

const sizeOf = (bytes: number) => `${Math.max(0.1, bytes / 2 ** 20).toFixed(1)} MB`;

/** The last good copies here and off the machine; `offSite` is null if none are configured. */
export function backupView(deps: ReadDeps) {
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
      isLate: local !== null && isCopyLate(env.backup, local.at, now),
    },
    offSite: offSite && {
      last: sent && `of ${adminInstant(sent.at)}, ${sizeOf(sent.bytes)}`,
      isLate: sent !== null && isCopyLate(offSite, sent.at, now),
    },
  };
}

/** Browser and system by their common names; for a program, the first word of its user agent. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "A program";
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (!browser) return userAgent.split(/[\s/]/)[0] ?? "A program";
  return system ? `${browser} on ${system}` : browser;
}

/** In this order, because most browsers also name others in their user agent. */
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
