/** The columns of an appointment (contact, time, price, payment window) as objects, and back. */
import type { Nullable } from "kysely";
import type { Abroad, Company, Contact, PaymentWindow, Student } from "#app/model/appointment.ts";
import type { SessionTime } from "#app/model/day-plan.ts";
import type { Price } from "#app/model/money.ts";
import { withLineFeeds } from "#app/model/text-blocks.ts";
import type { AppointmentTable } from "#db/tables.ts";

/** Some rows end a line in CRLF, and are the same text. */
export function storedText(text: string | null): string | null {
  return text && withLineFeeds(text);
}

export function contactOf(
  row: Pick<AppointmentTable, "name" | "email" | "phone" | "notes">,
): Contact {
  const { name, email, phone, notes } = row;
  return { name, email, phone, notes: storedText(notes) };
}

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

export function timeColumns(time: SessionTime) {
  return {
    counselor_key: time.counselorKey,
    on_date: time.date,
    time_slot: time.timeSlot,
    minutes: time.minutes,
    starts_at: time.startsAt,
    ends_at: time.endsAt,
  };
}

export function priceColumns({ basePaise, gstPaise, totalPaise }: Price) {
  return { base_paise: basePaise, gst_paise: gstPaise, total_paise: totalPaise };
}

export function windowColumns({ payBefore, holdUntil }: Nullable<PaymentWindow>) {
  return { pay_before: payBefore, hold_until: holdUntil };
}
