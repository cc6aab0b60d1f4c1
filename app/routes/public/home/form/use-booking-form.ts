/** The booking form's state: entries, errors, and the step of the payment. */
import { useForm } from "@conform-to/react";
import {
  type FocusEvent,
  type FormEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useRevalidator } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import type { BookingRequestError } from "#app/components/api-client.ts";
import { showFailure } from "#app/components/toasts.tsx";
import { formatDay, formatSlot } from "#app/model/dates.ts";
import type { HomeView } from "#app/routes/public/home/home-view.server.ts";
import { focusFormProblem } from "#app/routes/public/parts/form-problem.tsx";
import type { FreeTime } from "#app/routes/public/parts/next-free.server.ts";
import { useFocusNext } from "#app/routes/public/parts/use-focus-next.ts";
import { serverAnswers, useOffline } from "#app/routes/public/parts/use-offline.ts";
import { PENDING_TEXT, usePayment } from "#app/routes/public/parts/use-payment.ts";
import { useRefresh } from "#app/routes/public/parts/use-refresh.ts";
import { takeWanted } from "./eager-parts.tsx";
import {
  type BookingFields,
  type Choice,
  choiceOf,
  clickRadio,
  errorLines,
  focusField,
  focusTimes,
  lengthWith,
  type NextStep,
  nextStep,
  SESSION,
  termsOf,
  timeLostWords,
} from "./fields.ts";
import {
  honeypotEntry,
  MEANT_ID,
  useChoice,
  useMistypedEmail,
  useNow,
  useSchema,
} from "./form-hooks.ts";
import { forgetAvailability, type Returned, useFreeTimes } from "./free-times.ts";
import { focusChosen, showChosen, useChosenFold } from "./use-chosen-fold.ts";

export interface BookingFormProps {
  home: HomeView;
  returned: Returned | null;
}

export type BookingFormState = ReturnType<typeof useBookingForm>;

/** Milliseconds: how often and for how long the page's data are read while a payment is checked. */
const REFRESH_EVERY_MS = 5_000;
const REFRESH_FOR_MS = 15 * 60_000;

/** The name under which Conform asks its form to check one field again. */
const INTENT = "__intent__";

export function useBookingForm({ home, returned }: BookingFormProps) {
  // `own` is this browser's last booking: a visitor who left while paying comes back to this form.
  const { offer, checkoutUrl, own } = home;
  const hydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  const [reply, setReply] = useState(returned?.reply);
  const { parse, loadSchema } = useSchema();
  const [timeNotice, setTimeNotice] = useState(returned?.timeLost ?? null);
  const [next, setNext] = useState<NextStep | null>(returned?.next ?? null);
  const first = choiceOf(reply?.initialValue);
  const { choice, change, readForm, readNow } = useChoice(formRef, first, offer);
  const mistyped = useMistypedEmail(returned?.askedEmail ?? "");
  const fold = useChosenFold(choice, returned);
  // Null before the first click. With the keyboard a visitor passes over other choices on the way, so
  // nothing is collapsed meanwhile.
  const byPointer = useRef<boolean | null>(null);
  const { offline, waitForNetwork, waitForServer } = useOffline(() => {
    if (formRef.current) void submit(formRef.current);
  });
  const payment = usePayment({ checkoutUrl, onRefused: afterRefusal, onNoAnswer: waitForServer });
  const [form, fields] = useForm<BookingFields, BookingInput>({
    id: "booking",
    lastResult: reply ?? null,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    ...(parse ? { onValidate: ({ formData }) => parse(formData, home.askState) } : {}),
  });
  const [loading, setLoading] = useState(false);
  const pendingText = PENDING_TEXT[loading ? "creating" : payment.step.name];
  const pending = pendingText !== undefined;
  const revalidator = useRevalidator();
  useRefresh({
    every: own?.state === "checking" ? REFRESH_EVERY_MS : null,
    during: REFRESH_FOR_MS,
    paused: pending,
  });
  const focusNext = useFocusNext(pending);
  const { slots, generation, reload } = useFreeTimes(choice, returned?.slots ?? { step: "idle" });
  const counselor = offer.counselors.find((one) => one.name === choice.counselor) ?? null;
  const chosenPackage =
    offer.packages.find((one) => String(one.minutes) === choice.package) ?? null;

  // A time that no longer fits the captain or the length is cleared, and the page says so.
  const lostTime =
    slots.step === "ready" && choice.timeSlot && !slots.slots.includes(choice.timeSlot);
  useEffect(() => {
    if (!lostTime) return;
    loseTime(timeLostWords(choice.timeSlot));
  });

  useLayoutEffect(() => takeWanted(chooseWanted));

  // The server's answer to a form that was submitted before the scripts had loaded.
  useEffect(() => {
    if (returned?.notice) showFailure(returned.notice.title, returned.notice.text);
  }, [returned]);

  function afterRefusal(error: BookingRequestError) {
    if (error.code === "slot_taken") {
      forgetAvailability();
      reload();
      loseTime(error.message);
      focusNext.current = focusTimes;
    }
    if (error.code === "validation_failed") refuse(error.errors);
  }

  function loseTime(why: string) {
    setTimeNotice(why);
    setNext(null);
    change({ timeSlot: "" });
    fold.unfold("timeSlot");
  }

  function refuse(fieldErrors: Record<string, string[] | null>) {
    setReply({ status: "error", error: fieldErrors, initialValue: { ...choice } });
    fold.unfold(...Object.keys(fieldErrors));
    focusNext.current = focusFormProblem;
  }

  function choose(part: Partial<Choice>) {
    setTimeNotice(null);
    change(part);
  }

  /** A captain, or one of their free times, chosen elsewhere on the page or below a full day. */
  function chooseWanted(counselorKey: string, time?: FreeTime) {
    const minutes = lengthWith(time?.minutes, readNow().package ?? "");
    clickRadio(`booking-counselor-${counselorKey}`);
    clickRadio(`booking-package-${minutes}`);
    const counselor = offer.counselors.find((one) => one.key === counselorKey)?.name ?? "";
    const part = time && { date: time.date, timeSlot: time.timeSlot, package: minutes };
    if (part) choose(part);
    const chosen = time ? `${time.time} IST on ${time.day} with ${counselor}` : counselor;
    goOn({ ...choice, ...readNow(), counselor, ...part }, chosen);
  }

  function chooseTime(timeSlot: string) {
    choose({ timeSlot });
    if (byPointer.current) {
      goOn({ ...choice, timeSlot }, `${formatSlot(timeSlot)} IST on ${formatDay(choice.date)}`);
    }
  }

  /** A length that is chosen last. */
  function onPackage(minutes: string) {
    if (!byPointer.current || fold.isOpen || fold.parts.length === 0) return;
    goOn({ ...choice, package: minutes }, `A session of ${minutes} minutes`);
  }

  /** Collapses what is chosen, and leads to the next field. */
  function goOn(now: Choice, chosen: string) {
    const step = nextStep(now, chosen);
    setNext(step);
    fold.close(now, () => {
      showChosen();
      if (step) focusField(step.field, offer);
      else focusChosen();
    });
  }

  function onFocus({ target }: FocusEvent) {
    loadSchema().catch(() => {});
    // With the keyboard, the choice is collapsed when the person's fields are reached; its last part
    // may not be rendered yet.
    if (byPointer.current !== false || !target.closest("#booking-you")) return;
    const now = { ...choice, ...readNow(SESSION) };
    if (fold.isDue(now)) fold.close(now, () => target.scrollIntoView({ block: "center" }));
  }

  /** A day leads to its times, or to the captain if none is chosen. The same one keeps its time. */
  function chooseDay(date: string) {
    // Rendered even if nothing changes, which moves the focus.
    choose(date === choice.date ? {} : { date, timeSlot: "" });
    if (choice.counselor) focusNext.current = focusTimes;
    else {
      setNext(nextStep({ ...choice, date }, formatDay(date)));
      focusNext.current = () => focusField("counselor", offer);
    }
  }

  async function submit(target: HTMLFormElement): Promise<void> {
    if (!navigator.onLine) return waitForNetwork();
    // On a slow connection the button shows that it was clicked while the schema loads.
    setLoading(parse === null);
    const parseNow = await loadSchema().catch(() => null);
    setLoading(false);
    if (!parseNow) {
      // The script cannot be loaded, for example after a new release: the form works without it.
      if (await serverAnswers()) target.submit();
      else waitForServer();
      return;
    }
    const filled = new FormData(target);
    const submission = parseNow(filled, home.askState);
    if (submission.status !== "success") {
      const found = submission.error ?? {};
      if (found.package) showFailure("Package Required", "Please select a package");
      refuse(found);
      return;
    }
    setReply(undefined);
    if (mistyped.ask(submission.value.email)) {
      focusNext.current = () => document.getElementById(MEANT_ID)?.focus();
      return;
    }
    const settled = await payment.bookAndPay({
      ...submission.value,
      ...honeypotEntry(filled),
      packagePrice: chosenPackage?.packagePrice,
      knowsPaid: own?.state === "paid",
      shownCutoff: home.cutoffHours,
    });
    // This browser's booking and the offer may have changed.
    if (!settled) await revalidator.revalidate();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const checksOneField = submitter instanceof HTMLButtonElement && submitter.name === INTENT;
    if (checksOneField && parse) return form.onSubmit(event);
    event.preventDefault();
    if (!checksOneField) void submit(event.currentTarget);
  }

  const now = useNow(home.madeAt, hydrated);
  const wrongFields = [fields.name, fields.email, fields.phone].filter(({ errors }) => errors);
  return {
    home,
    returned,
    form,
    formRef,
    fields,
    choice,
    counselor,
    chosenPackage,
    slots: hydrated ? slots : (returned?.slots ?? ({ step: "idle" } as const)),
    /** Increased when the free times are known to have changed. */
    generation,
    hydrated,
    /** Why a time was cleared. */
    timeNotice,
    lines: errorLines(fold.withoutFolded(reply?.error), offer),
    // Only for the server's HTML; after hydration the form moves the focus itself.
    startsAtErrors: !hydrated && returned?.goTo === null,
    startsAtTimes: !hydrated && returned?.goTo === "timeSlot",
    startsAtChosen: !hydrated && returned?.goTo === "chosen",
    fold,
    mistyped,
    terms: termsOf(choice, now, home.cutoffHours),
    /** The sentence above the field that comes next. */
    noteFor: (field: keyof Choice) =>
      next?.field === field && choice[field].trim() === "" ? next.text : null,
    personDone: Boolean(choice.name && choice.email && choice.phone && wrongFields.length === 0),
    step: payment.step,
    pending,
    pendingText,
    /** Whether the network or the server keeps the booking from going on; null if neither. */
    offline,
    onSubmit,
    readForm,
    onFocus,
    choose,
    chooseDay,
    chooseTime,
    onPackage,
    onPointer: (isPointer: boolean) => {
      byPointer.current = isPointer;
    },
    retry: () => {
      focusNext.current = focusTimes;
      reload();
    },
  };
}
