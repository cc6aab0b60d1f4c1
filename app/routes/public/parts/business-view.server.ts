import type { Env } from "#app/core/env.server.ts";

/** What public pages say of the business. */
export function businessView({ business }: Pick<Env, "business">) {
  const { name, address, gstin, email, phone, grievanceContact } = business;
  return { name, address, gstin, email, phone, grievanceContact };
}

export type BusinessView = ReturnType<typeof businessView>;
