/** The booking form's state: what is chosen, what is wrong, and how far the payment is. */
import { type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import type { BookingRequestError } from "#app/components/api-client.ts";
import { focusErrorSummary } from "#app/components/error-summary.tsx";
import { showFailure } from "#app/components/toasts.ts";
import { formatDay, formatSlot } from "#app/model/dates.ts";
import type { FreeTime, Offer } from "#app/routes/public/parts/offer.ts";
import { useLookAgain } from "#app/routes/public/parts/use-look-again.ts";
import { PENDING_TEXT, usePayment } from "#app/routes/public/parts/use-payment.ts";
import { forgetAvailability } from "./availability.ts";
import {
  type BookingFields,
  type Choice,
  choiceOf,
  errorLines,
  focusField,
  type NextStep,
  nextStep,
} from "./fields.ts";
import { readHoneypot } from "./honeypot.tsx";
import type { OwnView } from "./own-hold.tsx";
import { usePicked } from "./pick.ts";
import { useChoice } from "./use-choice.ts";
import { useFocusNext } from "./use-focus-next.ts";
import { useOffline } from "./use-offline.ts";
import { type SlotState, useSlots } from "./use-slots.ts";

/** What the action of the page without scripts brings back. */
export interface Returned {
  reply: SubmissionResult<string[]>;
  /** What happened, for example that the time was taken. */
  notice: { title: string; text: string } | null;
  slots: Extract<SlotState, { step: "ready" }> | null;
  /** Where the visitor goes on; null: at what is wrong, or at the next step. */
  goTo: "timeSlot" | null;
  /** What a free time that was chosen leaves empty. */
  next?: NextStep | null;
}

export interface BookingFormInput {
  offer: Offer;
  returned: Returned | null;
  checkoutUrl: string;
  /** What this browser booked last. */
  own: OwnView | null;
}

type Parse = typeof import("./booking-schema.ts").parseBooking;

/** While a payment is being checked. */
const LOOK_EVERY_MS = 5_000;
const LOOK_FOR_MS = 15 * 60_000;

/** The name under which Conform asks its form to check one field again. */
const INTENT = "__intent__";

export function useBookingForm({ offer, returned, checkoutUrl, own }: BookingFormInput) {
  const hydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  const [reply, setReply] = useState(returned?.reply);
  const [parse, setParse] = useState<Parse | null>(null);
  const [generation, setGeneration] = useState(0);
  const [timeNotice, setTimeNotice] = useState<string | null>(null);
  const [next, setNext] = useState<NextStep | null>(returned?.next ?? null);
  const { choice, change, readForm } = useChoice(formRef, choiceOf(reply?.initialValue));
  const picked = usePicked();
  const payment = usePayment({ checkoutUrl, onRefused: afterRefusal });
  const [form, fields] = useForm<BookingFields, BookingInput>({
    id: "booking",
    ...(reply ? { lastResult: reply } : {}),
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    ...(parse ? { onValidate: ({ formData }) => parse(formData) } : {}),
  });
  const [loading, setLoading] = useState(false);
  const pendingText = PENDING_TEXT[loading ? "creating" : payment.step.name];
  const pending = pendingText !== undefined;
  const { offline, waitForNetwork } = useOffline(() => {
    if (formRef.current) void submit(formRef.current);
  });
  const revalidator = useRevalidator();
  useLookAgain({
    every: own?.state === "checking" ? LOOK_EVERY_MS : null,
    during: LOOK_FOR_MS,
    paused: pending,
  });
  const focusNext = useFocusNext(pending);
  const retry = () => setGeneration((count) => count + 1);
  const slots = useSlots(choice, {
    generation,
    first: returned?.slots ?? { step: "idle" },
    onOnline: retry,
  });
  const counselor = offer.counselors.find((one) => one.name === choice.counselor) ?? null;
  const chosenPackage = offer.packages.find((one) => String(one.minutes) === choice.package);

  // A time that no longer fits the captain or the length is cleared, and the page says so.
  const lostTime =
    slots.step === "ready" && choice.timeSlot && !slots.slots.includes(choice.timeSlot);
  useEffect(() => {
    if (!lostTime) return;
    setTimeNotice(
      `${formatSlot(choice.timeSlot)} is not free for this captain and length. Please choose another time.`,
    );
    change({ timeSlot: "" });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: acts on a new pick alone
  useEffect(() => {
    if (picked) pick(picked);
  }, [picked]);

  // What the server said to a form sent before its scripts had loaded.
  useEffect(() => {
    if (returned?.notice) showFailure(returned.notice.title, returned.notice.text);
  }, [returned]);

  function afterRefusal(error: BookingRequestError) {
    if (error.code === "slot_taken") {
      forgetAvailability();
      setGeneration((count) => count + 1);
      setTimeNotice(error.message);
      change({ timeSlot: "" });
      focusNext.current = focusTimes;
    }
    if (error.code === "validation_failed") refuse(error.errors);
  }

  function refuse(fieldErrors: Record<string, string[] | null>) {
    setReply({ status: "error", error: fieldErrors, initialValue: { ...choice } });
    focusNext.current = focusErrorSummary;
  }

  function chooseDate(date: string) {
    setTimeNotice(null);
    change({ date, timeSlot: "" });
  }

  function chooseTime(timeSlot: string) {
    setTimeNotice(null);
    change({ timeSlot });
  }

  function pick(time: FreeTime) {
    const wanted = offer.counselors.find((one) => one.key === time.counselorKey);
    const radio = document.getElementById(`booking-counselor-${wanted?.key}`) as HTMLInputElement;
    if (!radio?.checked) radio?.click();
    chooseDate(time.date);
    chooseTime(time.timeSlot);
    const { date, timeSlot } = time;
    goOn(
      { ...choice, counselor: wanted?.name ?? "", date, timeSlot },
      `${time.time} on ${time.day} with ${wanted?.name}`,
    );
  }

  /** A day pressed in the calendar leads to its times, or to the captain whose times they are. */
  function pressDate(date: string) {
    chooseDate(date);
    if (choice.counselor) focusNext.current = focusTimes;
    else goOn({ ...choice, date }, formatDay(date));
  }

  /** To the first field that is empty, or to the times. */
  function goOn(now: Choice, chosen: string) {
    const step = nextStep(now, chosen);
    setNext(step);
    focusNext.current = step ? () => focusField(step.field, offer) : focusTimes;
  }

  async function loadSchema(): Promise<Parse> {
    const { parseBooking } = await import("./booking-schema.ts");
    setParse(() => parseBooking);
    return parseBooking;
  }

  async function submit(target: HTMLFormElement): Promise<void> {
    if (!navigator.onLine) return waitForNetwork();
    // On a slow line the press is answered before the rules have come.
    setLoading(parse === null);
    const parseNow = await loadSchema().catch(() => null);
    setLoading(false);
    if (!parseNow) {
      // A script cannot be loaded, for example after a new release: the form works without it.
      target.submit();
      return;
    }
    const filled = new FormData(target);
    const submission = parseNow(filled);
    if (submission.status !== "success") {
      const found = submission.error ?? {};
      if (found.package) showFailure("Package Required", "Please select a package");
      refuse(found);
      return;
    }
    setReply(undefined);
    const settled = await payment.bookAndPay({
      ...submission.value,
      ...readHoneypot(filled),
      packagePrice: chosenPackage?.packagePrice,
      knowsPaid: own?.state === "paid",
    });
    // What this browser holds, and what is offered, may be other than before.
    if (!settled) await revalidator.revalidate();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name === INTENT && parse) {
      form.onSubmit(event);
      return;
    }
    event.preventDefault();
    if (submitter instanceof HTMLButtonElement && submitter.name === INTENT) return;
    void submit(event.currentTarget);
  }

  const lines = errorLines(reply?.error ?? {}, offer);
  const wrongFields = [fields.name, fields.email, fields.phone].filter(({ errors }) => errors);
  return {
    form,
    formRef,
    fields,
    choice,
    counselor,
    chosenPackage,
    slots: hydrated ? slots : (returned?.slots ?? ({ step: "idle" } as const)),
    generation,
    hydrated,
    timeNotice,
    lines,
    // Only in the server's HTML; after hydration each answer moves the focus itself.
    startsAtErrors: !hydrated && returned?.goTo === null,
    startsAtTimes: !hydrated && returned?.goTo === "timeSlot",
    /** The sentence above the field that comes next. */
    noteFor: (field: keyof Choice) =>
      next?.field === field && choice[field].trim() === "" ? next.text : null,
    personDone: Boolean(choice.name && choice.email && choice.phone && wrongFields.length === 0),
    step: payment.step,
    pending,
    pendingText,
    offline,
    onSubmit,
    readForm,
    loadSchema: () => void loadSchema().catch(() => {}),
    chooseDate,
    pressDate,
    chooseTime,
    pick,
    retry: () => {
      focusNext.current = focusTimes;
      retry();
    },
  };
}

function focusTimes(): void {
  document.getElementById("booking-time")?.focus();
}
