/** Where the entry of a worker thread is: in the build a file of its own, else its source. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * `built` is its name in the build, beside the bundle or one folder up when the module of `base` is
 * in a shared chunk; `source` is its address from that module's source.
 */
export function threadFile(base: string, built: string, source: string): string {
  const places = [`./${built}.js`, `../${built}.js`, source];
  const paths = places.map((place) => fileURLToPath(new URL(place, base)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no thread at ${paths.join(", ")}`);
  return path;
}
