import type { Env } from "#app/core/env.server.ts";

/** What public pages say of the business; sample documents bear no number, and so no page does. */
export function businessView({
  business,
  sampleDocuments,
}: Pick<Env, "business" | "sampleDocuments">) {
  const { name, address, gstin, email, phone, grievanceContact } = business;
  return { name, address, gstin: sampleDocuments ? null : gstin, email, phone, grievanceContact };
}

export type BusinessView = ReturnType<typeof businessView>;
