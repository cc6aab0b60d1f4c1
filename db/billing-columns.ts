/** Whom the invoice is for beside the customer: a company in India, or somebody abroad. */
import type { Abroad, Company } from "#app/model/appointment.ts";
import type { AppointmentTable } from "#db/tables.ts";

export function companyOf(
  row: Pick<AppointmentTable, keyof ReturnType<typeof billingColumns>>,
): Company | null {
  const { gstin, billing_name: name, billing_address: address } = row;
  return gstin && name && address ? { gstin, name, address } : null;
}

export function abroadOf(
  row: Pick<AppointmentTable, keyof ReturnType<typeof billingColumns>>,
): Abroad | null {
  const { country, billing_name: name, billing_address: address } = row;
  return country && address ? { country, address, name } : null;
}

export function billingColumns(company: Company | null, abroad: Abroad | null) {
  return {
    gstin: company?.gstin ?? null,
    billing_name: company?.name ?? abroad?.name ?? null,
    billing_address: company?.address ?? abroad?.address ?? null,
    country: abroad?.country ?? null,
  };
}
