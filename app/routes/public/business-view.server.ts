import type { BusinessView } from "#app/components/public-page.tsx";
import type { Env } from "#app/lib/env.server.ts";

/** What public pages say of the business. */
export function businessView({ business }: Env): BusinessView {
  const { name, address, gstin, email, phone, grievanceContact } = business;
  return { name, address, gstin, email, phone, grievanceContact };
}
