/** The booking form posted without scripts: show times, take a free time, or book. */
import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { href, redirect } from "react-router";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { bookingFormSchema } from "#app/booking/booking-schema.ts";
import { refuseHoneypot } from "#app/booking/honeypot.server.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { findCounselorByKey, findCounselorByName, findPackage } from "#app/catalogue.ts";
import { addressKey } from "#app/core/client-address.ts";
import { ownBookingHeader, readOwnBookingId } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { isCalendarDate } from "#app/model/dates.ts";
import { type Failure, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { shownTotals } from "#app/routes/public/parts/offer.server.ts";
import { readPick } from "#app/routes/public/parts/offer.ts";
import type { Returned } from "./use-booking-form.ts";

interface FormAnswer {
  returned: Returned;
  status: number;
  headers?: Record<string, string>;
}

type Reply = Returned["reply"];

/** Fields of the form that are not the visitor's own entries. */
const NOT_KEPT = ["pick", "intent", "shownTotal", HONEYPOT_FIELD];

export async function answerHomeForm(
  deps: Deps,
  request: Request,
  address: string,
): Promise<FormAnswer | Response> {
  const form = await request.formData();
  const pick = form.get("pick");
  if (typeof pick === "string") return takePick(deps, form, pick);
  if (form.get("intent") === "show-times") return showTimes(deps, form);
  const submission = parseWithZod(form, { schema: bookingFormSchema });
  if (submission.status !== "success") return refuseFields(deps, form, submission);
  const trapped = await refuseHoneypot(form);
  if (trapped) return refuseBooking(deps, form, trapped);
  const changed = priceChange(form, submission.value.package);
  if (changed) return bringBack(deps, form, { notice: changed, status: 409 });
  const booked = bookSession(deps, submission.value, {
    clientAddress: addressKey(address),
    ownBookingId: await readOwnBookingId(deps.env, request.headers.get("cookie")),
  });
  if (!booked.ok) return refuseBooking(deps, form, booked);
  const { id } = booked.value.appointment;
  // A provider that does not answer now is asked again from the booking page.
  await createOrder(deps, id);
  return redirect(`${href("/booking/:id", { id })}#pay`, {
    status: 303,
    headers: { "Set-Cookie": await ownBookingHeader(deps.env, id) },
  });
}

function showTimes(deps: Deps, form: FormData): FormAnswer {
  const errors: Record<string, string[]> = {};
  if (!findCounselorByName(text(form, "counselor"))) {
    errors.counselor = ["Please select a counselor"];
  }
  if (!isCalendarDate(text(form, "date"))) errors.date = ["Please select a date"];
  const found = Object.keys(errors).length > 0;
  return bringBack(deps, form, {
    ...(found ? { errors } : {}),
    goTo: found ? null : "timeSlot",
    status: found ? 400 : 200,
  });
}

function takePick(deps: Deps, form: FormData, pick: string): FormAnswer {
  const { counselorKey, date, timeSlot } = readPick(pick);
  const counselor = findCounselorByKey(counselorKey);
  if (counselor) form.set("counselor", counselor.name);
  form.set("date", date);
  form.set("timeSlot", timeSlot);
  return bringBack(deps, form, { goTo: "timeSlot", status: 200 });
}

function refuseFields(deps: Deps, form: FormData, submission: Submission<unknown>): FormAnswer {
  const reply = submission.reply();
  const lacksPackage = Boolean(reply.error?.package);
  return bringBack(deps, form, {
    errors: reply.error ?? {},
    notice: lacksPackage ? { title: "Package Required", text: "Please select a package" } : null,
    status: 400,
  });
}

function refuseBooking(deps: Deps, form: FormData, refusal: Failure): FormAnswer {
  const taken = refusal.code === "slot_taken";
  const answer = bringBack(deps, form, {
    errors: taken ? { timeSlot: [refusal.message] } : (refusal.errors ?? {}),
    notice: { title: "Booking Failed", text: refusal.message },
    goTo: taken ? "timeSlot" : null,
    status: STATUS_OF_CODE[refusal.code],
  });
  const { retryAfter } = refusal;
  return retryAfter
    ? { ...answer, headers: { "Retry-After": String(Math.ceil(retryAfter)) } }
    : answer;
}

/** Null while the prices are those that the visitor's page showed. */
function priceChange(form: FormData, minutes: number): Returned["notice"] {
  const shown = text(form, "shownTotal");
  const now = shownTotals();
  const totalOf = (list: string) =>
    list.split(" ").find((entry) => entry.startsWith(`${minutes}-`));
  if (shown === "" || totalOf(shown) === totalOf(now)) return null;
  return {
    title: "The price has changed",
    text: "The prices below are new since you opened this page. If you agree to the new total, please book again.",
  };
}

interface Bringing {
  errors?: Record<string, string[] | null>;
  notice?: Returned["notice"];
  goTo?: Returned["goTo"];
  status: number;
}

/** The page again, with everything typed and fresh times for the chosen captain and date. */
function bringBack(
  deps: Deps,
  form: FormData,
  { errors, notice = null, goTo = null, status }: Bringing,
): FormAnswer {
  const values = Object.fromEntries(
    [...form.entries()].filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && !NOT_KEPT.includes(entry[0]),
    ),
  );
  // The page words the date, so only one that exists goes back to it.
  if (!isCalendarDate(values.date ?? "")) values.date = "";
  const slots = freshSlots(deps, form);
  const fits = slots?.slots.includes(values.timeSlot ?? "");
  const reply: Reply = {
    ...(errors ? { status: "error", error: errors } : {}),
    initialValue: { ...values, ...(fits ? {} : { timeSlot: "" }) },
  };
  return { returned: { reply, notice, slots, goTo }, status };
}

function freshSlots(deps: Deps, form: FormData): Returned["slots"] {
  const counselor = findCounselorByName(text(form, "counselor"));
  const date = text(form, "date");
  if (!counselor || !isCalendarDate(date)) return null;
  const minutes = findPackage(Number(text(form, "package")))?.minutes;
  const query = { counselorKey: counselor.key, minutes };
  const { availableSlots } = readSlots(deps, { ...query, date });
  const next =
    availableSlots.length > 0
      ? []
      : readAvailability(deps, { ...query, from: date, to: date }).next;
  return { step: "ready", slots: availableSlots, next };
}

function text(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === "string" ? value.trim() : "";
}
