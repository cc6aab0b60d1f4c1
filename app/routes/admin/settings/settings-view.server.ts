/** The settings as their page shows them, in the texts of its forms. */
import type { Deps } from "#app/core/deps.server.ts";
import { GST_STATES } from "#app/model/gstin.ts";
import { readSettings } from "#app/settings/change-settings.server.ts";
import { MOST_QUESTIONS } from "#app/settings/fields.ts";

export type SettingsView = ReturnType<typeof settingsView>;
export type SettingValues = SettingsView["values"];

/** Empty rows below the questions there are. */
const MORE_ROWS = 2;

export function settingsView(deps: Pick<Deps, "db" | "env">) {
  const { faq, logo, ...settings } = readSettings(deps);
  const rows = Math.min(faq.length + MORE_ROWS, MOST_QUESTIONS);
  return {
    values: textsOf(settings),
    logo,
    faq,
    /** The places of the schema's list. */
    faqRows: Array.from({ length: rows }, (_, i) => `faq[${i}]`),
    states: [...GST_STATES],
  };
}

/** A text for each value; empty where there is none. */
function textsOf<Fields extends object>(fields: Fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]),
  ) as { [Name in keyof Fields]: string };
}
