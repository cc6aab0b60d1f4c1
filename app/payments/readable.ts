import type { Deps } from "#app/core/deps.server.ts";
import { ProviderError } from "#app/core/services.ts";

/** What the provider answers, or null where it cannot now, which is logged; other errors are thrown. */
export async function orNull<T>(
  { log }: Pick<Deps, "log">,
  what: string,
  asked: Promise<T>,
): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ fault: error.fault, status: error.status }, `${what} not readable yet`);
    return null;
  }
}
