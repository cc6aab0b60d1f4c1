/** Reads and changes the owner's settings. */
import { isDeepStrictEqual } from "node:util";
import { storePicture, takePicture } from "#app/catalogue/portraits.server.ts";
import { changed, given, refuseStale } from "#app/catalogue/read.server.ts";
import { type Change, change } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import { checkVariables, type Env } from "#app/core/env.server.ts";
import { settingsOf } from "#app/core/live-env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type FieldErrors, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { SETTING_VARIABLES } from "#app/model/settings.ts";
import {
  type SavedSettings,
  type Settings,
  type SettingsChange,
  UPLOAD_LOGO,
} from "#app/model/settings-fields.ts";
import { deleteUnusedPortraits } from "#db/queries/catalogue.server.ts";
import { readSavedSettings, writeSavedSettings } from "#db/queries/settings.server.ts";
import { redirectAlerts } from "#db/queries/unsent-messages.server.ts";

export type SettingsNow = Settings & { version: number };

export function readSettings({ db, env }: Pick<Deps, "db" | "env">): SettingsNow {
  return { ...settingsOf(env), version: readSavedSettings(db).version };
}

/**
 * A saved setting replaces its environment variable, from the next request on. Documents, holds and
 * bookings keep what they were made under. Refusals: `stale`, `validation_failed` (by the rules of
 * the variables).
 */
export function changeSettings(
  deps: ChangeDeps,
  actor: Actor,
  { version, ...input }: SettingsChange,
): Outcome<SettingsNow> {
  return change(deps, actor, (changing) => {
    const { logo = null } = input;
    const isKept = logo === null || logo === settingsOf(deps.env).logo;
    if (isKept) return save(deps, changing, given(input), version);
    const stale = refuseStale(readSavedSettings(changing.tx), version);
    return stale ?? invalid({ logo: [UPLOAD_LOGO] });
  });
}

/**
 * From a form, which sends all its fields: unchanged ones are not saved, so that they go on
 * following their variables.
 */
export function changeTypedSettings(
  deps: ChangeDeps,
  actor: Actor,
  { version, ...typed }: SettingsChange,
): Outcome<SettingsNow> {
  const now = readSettings(deps);
  const others = Object.entries(given(typed)).filter(
    ([field, value]) => !isDeepStrictEqual(value, now[field as keyof Settings]),
  );
  return changeSettings(deps, actor, { ...Object.fromEntries(others), version });
}

/**
 * Replaces the logo. Refusals: `stale`, `too_large`, `validation_failed` (`logo`). Rejects with
 * QueueFull.
 */
export async function changeLogo(
  deps: ChangeDeps,
  actor: Actor,
  picture: Uint8Array<ArrayBuffer>,
  version?: number,
): Promise<Outcome<SettingsNow>> {
  const taken = await takePicture("logo", picture, "logo");
  if (!taken.ok) return taken;
  return change(deps, actor, (changing) => {
    const logo = storePicture(changing.tx, taken.value);
    return save(deps, changing, { logo }, version);
  });
}

function save(
  { env }: Pick<Deps, "env">,
  { tx, now, log }: Change,
  input: SavedSettings,
  version: number | undefined,
): Outcome<SettingsNow> {
  const row = readSavedSettings(tx);
  const stale = refuseStale(row, version);
  if (stale) return stale;
  const before = settingsOf(env);
  const wanted = { ...together(before, input), ...input };
  const saved = { ...row.saved, ...wanted };
  if (isDeepStrictEqual(saved, row.saved)) return success({ ...before, version: row.version });
  const errors = variableErrors({ ...before, ...wanted }, env);
  if (errors) return invalid(errors);
  writeSavedSettings(tx, saved);
  if ("logo" in input) deleteUnusedPortraits(tx);
  const after = settingsOf(env);
  if (after.businessEmail !== before.businessEmail) redirectAlerts(tx, after.businessEmail, now);
  const what = changed(before, after);
  if (what) log("settings_edit", "settings", what);
  return success({ ...after, version: row.version + 1 });
}

/** Checked against each other, so they are saved together: neither variable may change alone. */
const PAIRS = [
  ["paymentWindowSeconds", "holdSeconds"],
  ["businessState", "businessGstin"],
] as const satisfies (keyof Settings)[][];

function together(before: Settings, input: SavedSettings): SavedSettings {
  const touched = PAIRS.filter((pair) => pair.some((field) => Object.hasOwn(input, field))).flat();
  return Object.fromEntries(touched.map((field) => [field, before[field]]));
}

/** Checks by the rules of the variables. Null without errors. Without a GSTIN, samples are issued. */
function variableErrors(wanted: Settings, env: Env): FieldErrors | null {
  const values = SETTING_VARIABLES.map(({ field, variable }) => [
    variable,
    String(wanted[field] ?? ""),
  ]);
  const { faults } = checkVariables({
    ...Object.fromEntries(values),
    NODE_ENV: "production",
    SAMPLE_DOCUMENTS: env.sampleDocuments || env.business.gstin === null ? "1" : "0",
  });
  const errors: FieldErrors = {};
  for (const { name, message } of faults) {
    const of = SETTING_VARIABLES.find(({ variable }) => variable === name);
    if (of) errors[of.field] = [...(errors[of.field] ?? []), inWords(of.label, message)];
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

function inWords(label: string, message: string): string {
  const words = SETTING_VARIABLES.reduce(
    (left, { variable, label: is }) => left.replaceAll(variable, `“${is}”`),
    message,
  );
  return `${label} ${words}`;
}
