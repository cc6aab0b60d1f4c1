import type { Env } from "#app/core/env.server.ts";
import type { BusinessView } from "./public-page.tsx";

/** What public pages say of the business. */
export function businessView({ business }: Env): BusinessView {
  const { name, address, gstin, email, phone, grievanceContact } = business;
  return { name, address, gstin, email, phone, grievanceContact };
}
