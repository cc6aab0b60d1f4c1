/** When a copy was made, as its name says, here and off the machine. */

const STAMP = /^bookings-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/;

/** `20261120T093015Z` */
export function stampOf(madeAt: number): string {
  return `${new Date(madeAt).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Milliseconds UTC, whole seconds; null for another name. */
export function madeAtOf(name: string): number | null {
  const found = STAMP.exec(name);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}
