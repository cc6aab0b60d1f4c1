/** What keeps the server's memory small; it must stand in the environment before the process starts. */

/**
 * MB. Where memory is plenty, the young generation grows to 120 and stays so; here it comes to 16, and
 * at 8 a page would take a tenth longer. The rest of the heap comes to 60; with a limit of its own V8
 * collects it earlier, which takes a quarter of the pages rendered and saves 100 MB at the highest.
 */
const FLAGS = "--max-semi-space-size=8 --max-old-space-size=192";

/**
 * Threads share two memory arenas. What is larger than 128 kB (a workbook) goes back to the system when
 * it is done; glibc would raise that to 32 MB by itself.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** What `env` says already counts. */
export function smallMemory(env) {
  const options = env.NODE_OPTIONS ?? "";
  const flags = options.startsWith(FLAGS) ? options : `${FLAGS} ${options}`.trim();
  return { ...MALLOC, ...env, NODE_OPTIONS: flags };
}
