/** The value; without one throws the page for 404, or its words where a file was asked for. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Response("Not Found", { status: 404 });
  return value;
}
