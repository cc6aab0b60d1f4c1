/** The booking form as a link fills it in, and its submits without scripts. */
import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, href, redirect } from "react-router";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { bookingPageSchemaOf } from "#app/booking/booking-fields.ts";
import { readOwnHoldId } from "#app/booking/booking-page.server.ts";
import { refuseHoneypot } from "#app/booking/honeypot.server.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { SLOT_TAKEN } from "#app/booking/take-time.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { addressKey } from "#app/core/client-address.ts";
import { ownTokenHeader, readOwnToken } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import {
  type Catalogue,
  findCounselorAsked,
  findCounselorByKey,
  findCounselorByName,
  findPackage,
  shownTotalOf,
} from "#app/model/catalogue.ts";
import { formatDay, formatSlot, isCalendarDate, isTimeSlot } from "#app/model/dates.ts";
import { type Failure, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { bookOrMove, createOrder } from "#app/payments/create-order.server.ts";
import { typedBefore } from "./book-again.server.ts";
import { choiceOf, lengthWith, likelyEmail, nextStep, timeLostWords } from "./form/fields.ts";
import type { Returned } from "./form/free-times.ts";

interface Posted {
  deps: Deps;
  offer: Catalogue;
  form: FormData;
  ownHoldId: string;
}

/** Fields of the form that are not the visitor's own entries. */
const NOT_ENTRIES = [
  "pick",
  "captain",
  "intent",
  "booking",
  "shownTotal",
  "shownCutoff",
  "knowsPaid",
  "askedEmail",
  "timesOf",
  HONEYPOT_FIELD,
];

export async function answerHomeForm(deps: Deps, request: Request, address: string) {
  const form = await request.formData();
  const offer = readBookable(deps);
  const posted = { deps, offer, form, ownHoldId: await readOwnHoldId(deps, request) };
  const timesOf = text(form, "timesOf");
  if (timesOf && timesOf !== text(form, "date")) form.delete("timeSlot");
  const freeTime = form.get("pick");
  if (typeof freeTime === "string") return chooseFreeTime(posted, freeTime);
  if (form.has("captain")) return chooseCaptain(posted);
  if (form.get("intent") === "show-times") return showTimes(posted);
  if (form.get("intent") === "again") {
    const typed = await typedBefore(deps, request, text(form, "booking"));
    for (const entry of Object.entries(typed)) form.set(...entry);
    return formAgain(posted, { goTo: "timeSlot", status: 200 });
  }
  takeWhatsApp(form);
  const submission = parseWithZod(form, { schema: bookingPageSchemaOf(deps.env.askState) });
  if (submission.status !== "success") return refuseFields(posted, submission);
  const trapped = await refuseHoneypot(form);
  if (trapped) return refuseBooking(posted, trapped);
  const { email } = submission.value;
  const meant = likelyEmail(email);
  if (meant && form.get("askedEmail") !== email) return askAboutEmail(posted, email, meant);
  const booked = await bookOrMove(deps, submission.value, {
    clientAddress: addressKey(address),
    ownToken: await readOwnToken(deps.env, request),
    knowsPaid: form.get("knowsPaid") === "true",
    isForm: true,
    shownTotal: shownTotalOf(form, submission.value.package),
    shownCutoff: text(form, "shownCutoff") === "" ? undefined : Number(text(form, "shownCutoff")),
  });
  if (!booked.ok) return refuseBooking(posted, booked);
  const { appointment, token } = booked.value;
  const { id } = appointment;
  // If the provider does not answer, the booking page asks it again.
  await createOrder(deps, id);
  return redirect(`${href("/booking/:id", { id })}#pay`, {
    status: 303,
    headers: { "Set-Cookie": await ownTokenHeader(deps.env, token) },
  });
}

/** `whatsapp` by its name in calls, which a program that fills the form in may use. */
function takeWhatsApp(form: FormData): void {
  if (form.get("whatsapp") === "true") form.set("whatsapp", "on");
  if (form.get("whatsapp") !== "false") return;
  form.delete("whatsapp");
  form.set("noWhatsApp", "on");
}

/** The form as a link like `/?counselor=asha&package=45` fills it in; null if it chooses nothing. */
export function formOfLink(deps: Deps, query: URLSearchParams): Returned | null {
  const offer = readBookable(deps);
  const counselor = findCounselorAsked(offer, query.get("counselor") ?? "")?.name;
  const asked = query.get("package");
  const minutes = offer.packages.find((one) => String(one.minutes) === asked)?.minutes;
  if (!counselor && !minutes) return null;
  const initialValue = { counselor: counselor ?? "", package: String(minutes ?? "") };
  const chosen = [minutes && `${minutes} minutes`, counselor].filter(Boolean).join(" with ");
  const next = nextStep(choiceOf(initialValue), chosen);
  return {
    reply: { initialValue },
    notice: null,
    slots: null,
    timeLost: null,
    goTo: null,
    next,
    askedEmail: "",
  };
}

const NO_CAPTAIN = { counselor: ["Please select a captain"] };

function showTimes(posted: Posted) {
  const { form, offer } = posted;
  const named = findCounselorByName(offer, text(form, "counselor"));
  const errors: Record<string, string[]> = named ? {} : { ...NO_CAPTAIN };
  if (!isCalendarDate(text(form, "date"))) errors.date = ["Please select a date"];
  if (Object.keys(errors).length > 0) return formAgain(posted, { errors, status: 400 });
  return formAgain(posted, { goTo: "timeSlot", status: 200 });
}

function chooseFreeTime(posted: Posted, value: string) {
  const [counselorKey = "", date = "", timeSlot = "", longest] = value.split(" ");
  const { form, offer } = posted;
  const counselor = findCounselorByKey(offer, counselorKey);
  if (counselor) form.set("counselor", counselor.name);
  form.set("date", date);
  form.set("timeSlot", timeSlot);
  const minutes = findPackage(offer, Number(longest))?.minutes;
  form.set("package", lengthWith(minutes, offeredPackage(posted)));
  const isFree = counselor && freshSlots(posted)?.slots.includes(timeSlot);
  if (!isFree) return refuseBooking(posted, SLOT_TAKEN);
  const chosen = `${formatSlot(timeSlot)} on ${formatDay(date)} with ${counselor.name}`;
  const next = nextStep(choiceOf(entriesOf(posted)), chosen);
  return formAgain(posted, { next, goTo: next ? null : "chosen", status: 200 });
}

function chooseCaptain(posted: Posted) {
  const { form, offer } = posted;
  const counselor = findCounselorByKey(offer, text(form, "captain"));
  if (!counselor) return formAgain(posted, { errors: NO_CAPTAIN, status: 400 });
  form.set("counselor", counselor.name);
  const next = nextStep(choiceOf(entriesOf(posted)), counselor.name);
  return formAgain(posted, { next, goTo: next ? null : "chosen", status: 200 });
}

function refuseFields(posted: Posted, submission: Submission<unknown>) {
  const reply = submission.reply();
  const lacksPackage = Boolean(reply.error?.package);
  return formAgain(posted, {
    errors: reply.error ?? {},
    notice: lacksPackage ? { title: "Package Required", text: "Please select a package" } : null,
    status: 400,
  });
}

function askAboutEmail(posted: Posted, email: string, meant: string) {
  return formAgain(posted, {
    errors: { email: [`You typed ${email}. Did you mean ${meant}?`] },
    notice: {
      title: "Is your email address right?",
      text: "If it is, please send the form again as it is.",
    },
    askedEmail: email,
    status: 200,
  });
}

function refuseBooking(posted: Posted, refusal: Failure) {
  const { code, message, errors } = refusal;
  if (code === "price_changed") return formAgain(posted, PRICE_CHANGED);
  const taken = code === "slot_taken";
  return formAgain(posted, {
    errors: taken ? { timeSlot: [message] } : (errors ?? {}),
    notice: { title: "Booking Failed", text: message },
    goTo: taken ? "timeSlot" : null,
    status: STATUS_OF_CODE[code],
    headers: retryHeaders(refusal),
  });
}

interface FormAgain extends Partial<Omit<Returned, "reply" | "slots" | "timeLost">> {
  errors?: Record<string, string[] | null>;
  status: number;
  headers?: Record<string, string>;
}

const PRICE_CHANGED: FormAgain = {
  notice: {
    title: "The price has changed",
    text: "Our prices have changed since you opened this page. If you agree to the new total, please book again.",
  },
  status: 409,
};

/** The page again, with all entries and the present free times of the chosen day. */
function formAgain(
  posted: Posted,
  {
    errors,
    notice = null,
    goTo = null,
    next = null,
    askedEmail = text(posted.form, "askedEmail"),
    status,
    headers = {},
  }: FormAgain,
) {
  const slots = freshSlots(posted);
  const initialValue = entriesOf(posted, slots);
  const reply: Returned["reply"] = {
    ...(errors ? { status: "error", error: errors } : {}),
    initialValue,
  };
  const sent = text(posted.form, "timeSlot");
  const isLost = slots && isTimeSlot(sent) && !initialValue.timeSlot && !errors?.timeSlot;
  const timeLost = isLost ? timeLostWords(sent) : null;
  const again: Returned = { reply, notice, slots, timeLost, goTo, next, askedEmail };
  return data(again, { status, headers });
}

/** The visitor's entries; a captain, package, date or time that cannot be chosen is emptied. */
function entriesOf(posted: Posted, slots = freshSlots(posted)): Record<string, string> {
  const { form, offer } = posted;
  const entries = [...form.entries()].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && !NOT_ENTRIES.includes(entry[0]),
  );
  return {
    ...Object.fromEntries(entries),
    counselor: findCounselorByName(offer, text(form, "counselor"))?.name ?? "",
    package: offeredPackage(posted),
    // The page formats the date, so it must exist.
    date: isCalendarDate(text(form, "date")) ? text(form, "date") : "",
    timeSlot: slots?.slots.find((slot) => slot === text(form, "timeSlot")) ?? "",
  };
}

function offeredPackage({ form, offer }: Posted): string {
  return String(findPackage(offer, Number(text(form, "package")))?.minutes ?? "");
}

function freshSlots(posted: Posted): Returned["slots"] {
  const { deps, offer, form, ownHoldId } = posted;
  const counselor = findCounselorByName(offer, text(form, "counselor"));
  const date = text(form, "date");
  if (!counselor || !isCalendarDate(date)) return null;
  const minutes = findPackage(offer, Number(text(form, "package")))?.minutes;
  const query = { counselorKey: counselor.key, minutes, ownHoldId };
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
