/** What was typed into the booking form, kept in this tab until it is paid or its own page is shown. */

export const KEPT_ENTRIES = "booking";

export function keptEntries(): Partial<Record<string, string>> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_ENTRIES) ?? "{}");
  } catch {
    // Without storage nothing is kept.
    return {};
  }
}

export function keepEntries(entries: Record<string, string>): void {
  try {
    sessionStorage.setItem(KEPT_ENTRIES, JSON.stringify({ ...keptEntries(), ...entries }));
  } catch {}
}

export function forgetEntries(): void {
  try {
    sessionStorage.removeItem(KEPT_ENTRIES);
  } catch {}
}
