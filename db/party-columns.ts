/** Beside the customer: whom the session is for, and whom the invoice: a company in India, or somebody abroad. */
import type { Abroad, Company, Student } from "#app/model/appointment.ts";
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

export function studentOf(
  row: Pick<AppointmentTable, "student_name" | "student_relation"> & { student_under_18: number },
): Student | null {
  const { student_name: name, student_under_18: under18, student_relation: relation } = row;
  return name === null ? null : { name, under18: under18 === 1, relation };
}

export function studentColumns(student: Student | null) {
  return {
    student_name: student?.name ?? null,
    student_under_18: Number(student?.under18 ?? false),
    student_relation: student?.relation ?? null,
  };
}
