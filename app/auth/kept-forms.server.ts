/**
 * What was typed into a form whose session had ended, until its account is signed in again: in memory
 * alone, so that no copy holds it and nothing has to be erased, and never in an address. By the
 * browser's device cookie, which names the account that used it last.
 */
import type { Device } from "#app/core/cookies.server.ts";
import { MINUTE } from "#app/model/duration.ts";

/** Never sent back to the page, nor kept; `url` is that of a captain's own calendar. */
export const SECRETS = [
  "password",
  "currentPassword",
  "newPassword",
  "confirmPassword",
  "totp",
  "otp",
  "url",
];

interface KeptForm {
  adminId: string;
  path: string;
  fields: [name: string, value: string][];
  /** Milliseconds UTC. */
  until: number;
}

const KEPT_MS = 30 * MINUTE;
/** Each at most as large as a request's body: some 6 MiB in all. */
const MOST_KEPT = 100;

/** The one that came last of each browser, the oldest first. */
const forms = new Map<string, KeptForm>();

/** `path` is the form's own address; `now` is milliseconds UTC. */
export function keepForm({ id, adminId }: Device, path: string, form: FormData, now: number): void {
  const fields = [...form].flatMap(([name, value]): KeptForm["fields"] =>
    typeof value === "string" && !SECRETS.includes(name) ? [[name, value]] : [],
  );
  const kept = { adminId, path, fields, until: now + KEPT_MS };
  forms.delete(id);
  forms.set(id, kept);
  setTimeout(() => forms.get(id) === kept && forms.delete(id), KEPT_MS).unref();
  for (const [oldest, { until }] of forms) {
    if (forms.size <= MOST_KEPT && until > now) break;
    forms.delete(oldest);
  }
}

/** Gives it back once, to the account that typed it; any other in its browser drops it. */
export function takeKeptForm(
  device: Device | null | undefined,
  adminId: string,
  path: string,
  now: number,
): FormData | null {
  const kept = device ? forms.get(device.id) : undefined;
  if (!device || !kept || (kept.path !== path && kept.adminId === adminId)) return null;
  forms.delete(device.id);
  if (kept.adminId !== adminId || kept.until <= now) return null;
  const form = new FormData();
  for (const [name, value] of kept.fields) form.append(name, value);
  return form;
}
