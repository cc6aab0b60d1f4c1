/** What TypeScript files use of node-runtime.mjs. */
export function smallMemory<Env extends Record<string, string | undefined>>(env: Env): Env;
