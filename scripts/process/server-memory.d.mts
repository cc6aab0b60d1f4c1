/** The environment of a server that holds little memory; what `env` says already counts. */
export function smallMemory<Env extends Record<string, string | undefined>>(env: Env): Env;

/** A flag of V8's that may be set while it runs. */
export const HEAP_GROWTH: string;
