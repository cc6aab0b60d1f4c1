/**
 * Entries of the booking form, saved in this tab until the booking is paid or its page is shown.
 * Without storage nothing is saved.
 */

export const ENTRIES_KEY = "booking";

export function readEntries(): Partial<Record<string, string>> {
  try {
    return JSON.parse(sessionStorage.getItem(ENTRIES_KEY) ?? "{}");
  } catch {
    return {};
  }
}

export function saveEntries(entries: Record<string, string>): void {
  try {
    sessionStorage.setItem(ENTRIES_KEY, JSON.stringify({ ...readEntries(), ...entries }));
  } catch {}
}

export function clearEntries(): void {
  try {
    sessionStorage.removeItem(ENTRIES_KEY);
  } catch {}
}
