import { data } from "react-router";

/** The value; without one throws the page for 404. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw data(null, { status: 404 });
  return value;
}
