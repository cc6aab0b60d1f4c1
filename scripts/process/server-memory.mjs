/** What keeps the server's memory small. */

/**
 * MB, in the environment before the process starts. Where memory is plenty, the young generation grows
 * to 120 and stays so; here it comes to 16, and at 8 a page would take a tenth longer. The rest of the
 * heap comes to 60; without a limit it takes 100 more at its highest.
 */
const FLAGS = "--max-semi-space-size=8 --max-old-space-size=192";

/**
 * For `setFlagsFromString` before the app is loaded, since NODE_OPTIONS does not take it. Under a limit
 * V8 collects after little growth, at the price of a seventh of the pages rendered. Growth by half
 * costs 10 MB; doubling, 50 while documents are made.
 */
export const HEAP_GROWTH = "--heap-growing-percent=50";

/**
 * Threads share two memory arenas. What is larger than 32 kB (a page, a document) goes back to the
 * system when it is done; glibc would raise that to 32 MB by itself.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** What `env` says already counts. */
export function smallMemory(env) {
  const options = env.NODE_OPTIONS ?? "";
  const flags = options.startsWith(FLAGS) ? options : `${FLAGS} ${options}`.trim();
  return { ...MALLOC, ...env, NODE_OPTIONS: flags };
}
