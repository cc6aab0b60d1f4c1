/**
 * The current configuration: the environment, overridden by what the owner has saved. Every operation
 * reads it here, so a saved value counts from the next read on, in every process.
 */
import type { SavedSettings, Settings } from "#app/model/settings-fields.ts";
import type { Db } from "#db/connection.server.ts";
import { readSavedText, savedSettingsOf } from "#db/queries/settings.server.ts";
import type { Env } from "./env.server.ts";
import { fieldsOf } from "./env-settings.ts";

/** `env`, in which the fields that the owner may set are read from the database each time. */
export function liveEnv(env: Env, db: Db): Env {
  let known = { text: "{}", now: withSaved(env, {}) };
  const now = () => {
    const text = readSavedText(db);
    if (text !== known.text) known = { text, now: withSaved(env, savedSettingsOf(text)) };
    return known.now;
  };
  const live = { ...env };
  for (const field of Object.keys(known.now)) {
    Object.defineProperty(live, field, { enumerable: true, get: () => Reflect.get(now(), field) });
  }
  return live;
}

export function settingsOf(env: Env): Settings {
  return { ...env.settings, faq: env.questions(env.selfServiceCutoffHours) };
}

function withSaved(env: Env, { faq, ...saved }: SavedSettings) {
  const settings = { ...env.settings, ...saved };
  // Saved as none while samples were issued: real invoices have those of the variables. A GSTIN
  // begins with its state's code, so the two come from one place.
  if (!env.sampleDocuments) {
    const { businessGstin, businessState, businessPhone } = env.settings;
    settings.businessPhone ??= businessPhone;
    if (settings.businessGstin === null) Object.assign(settings, { businessGstin, businessState });
  }
  return { settings, ...fieldsOf(settings), questions: faq ? () => faq : env.questions };
}
