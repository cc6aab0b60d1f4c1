/** The booking form. Without scripts it posts itself; with them the page takes over step by step. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { href, useRevalidator } from "react-router";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import type { BookingRequestError } from "#app/components/api-client.ts";
import { ErrorSummary } from "#app/components/error-summary.tsx";
import { FormSection } from "#app/components/section.tsx";
import { showToast } from "#app/components/toasts.ts";
import { useHydrated } from "#app/components/use-hydrated.ts";
import { formatSlot } from "#app/model/dates.ts";
import type { FreeTime, Offer } from "#app/routes/public/parts/offer.ts";
import type { HeldBooking } from "#app/routes/public/parts/use-payment.ts";
import { NO_CONNECTION, PENDING_TEXT, usePayment } from "#app/routes/public/parts/use-payment.ts";
import { forgetAvailability } from "./availability.ts";
import { CaptainChoice } from "./captain-choice.tsx";
import { DateChoice } from "./date-choice.tsx";
import { type BookingFields, errorLines, focusFirstError } from "./fields.ts";
import { Honeypot, readHoneypot } from "./honeypot.tsx";
import { MoreDetails } from "./more-details.tsx";
import type { OwnHoldView } from "./own-hold.tsx";
import { PackageChoice } from "./package-choice.tsx";
import { PersonFields } from "./person-fields.tsx";
import { usePicked } from "./pick.ts";
import { Settled } from "./settled.tsx";
import { SubmitPanel } from "./submit-panel.tsx";
import { TimeChoice } from "./time-choice.tsx";
import { type Choice, useChoice } from "./use-choice.ts";
import { useFocusNext } from "./use-focus-next.ts";
import { type SlotState, useSlots } from "./use-slots.ts";

/** What the action of the page without scripts brings back. */
export interface Returned {
  reply: SubmissionResult<string[]>;
  /** What happened, for example that the time was taken. */
  notice: { title: string; text: string } | null;
  slots: Extract<SlotState, { step: "ready" }> | null;
  /** Where the visitor goes on: a field's name, or null for the first wrong one. */
  goTo: keyof BookingFields | null;
}

interface BookingFormProps {
  offer: Offer;
  /** What this browser booked before. */
  own: OwnHoldView | null;
  returned: Returned | null;
  checkoutUrl: string;
  whatsapp: boolean;
  payMinutes: number;
  cutoffHours: number;
}

type Parse = typeof import("./booking-schema.ts").parseBooking;

/** The name under which Conform asks its form to check one field again. */
const INTENT = "__intent__";

export function BookingForm(props: BookingFormProps) {
  const { offer, returned } = props;
  const hydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  const [reply, setReply] = useState(returned?.reply);
  const [parse, setParse] = useState<Parse | null>(null);
  const [generation, setGeneration] = useState(0);
  const [timeNotice, setTimeNotice] = useState<string | null>(null);
  const [bookedAs, setBookedAs] = useState("");
  const { choice, change, readForm } = useChoice(formRef, firstChoice(reply?.initialValue));
  const picked = usePicked();
  const revalidator = useRevalidator();
  const payment = usePayment({ checkoutUrl: props.checkoutUrl, onRefused: afterRefusal });
  const [form, fields] = useForm<BookingFields, BookingInput>({
    id: "booking",
    ...(reply ? { lastResult: reply } : {}),
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    ...(parse ? { onValidate: ({ formData }) => parse(formData, choicesOf(offer)) } : {}),
  });
  const pending = PENDING_TEXT[payment.step.name] !== undefined;
  const focusNext = useFocusNext(pending);
  const slots = useSlots(choice, generation, returned?.slots ?? { step: "idle" });
  const counselor = offer.counselors.find((one) => one.name === choice.counselor) ?? null;
  const chosenPackage = offer.packages.find((one) => String(one.minutes) === choice.package);
  const errors = reply?.error ?? {};

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

  function afterRefusal(error: BookingRequestError) {
    if (error.code === "price_changed") revalidator.revalidate();
    if (error.code === "slot_taken") {
      forgetAvailability();
      setGeneration((count) => count + 1);
      setTimeNotice(error.message);
      change({ timeSlot: "" });
      focusNext.current = () => document.getElementById("booking-time")?.focus();
    }
    if (error.code === "validation_failed") refuse(error.errors);
  }

  function refuse(fieldErrors: Record<string, string[] | null>) {
    setReply({ status: "error", error: fieldErrors, initialValue: { ...choice } });
    focusNext.current = () => focusFirstError(fieldErrors, offer);
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
    document.getElementById("booking-time")?.focus();
  }

  async function loadSchema(): Promise<Parse> {
    const { parseBooking } = await import("./booking-schema.ts");
    setParse(() => parseBooking);
    return parseBooking;
  }

  async function submit(target: HTMLFormElement) {
    const parseNow = await loadSchema().catch(() => null);
    if (!parseNow) {
      // A script of ours is gone, as after a new release: the form is whole without it.
      if (navigator.onLine) target.submit();
      else
        showToast({
          title: "Booking Failed",
          description: NO_CONNECTION,
          variant: "destructive",
        });
      return;
    }
    const filled = new FormData(target);
    const submission = parseNow(filled, choicesOf(offer));
    if (submission.status !== "success") {
      const found = submission.error ?? {};
      if (found.package) {
        showToast({
          title: "Package Required",
          description: "Please select a package",
          variant: "destructive",
        });
      }
      refuse(found);
      return;
    }
    setReply(undefined);
    setBookedAs(JSON.stringify(choice));
    await payment.bookAndPay({
      ...submission.value,
      ...readHoneypot(filled),
      packagePrice: chosenPackage?.packagePrice,
    });
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

  if (payment.step.name === "confirmed" || payment.step.name === "checking") {
    return <Settled step={payment.step} offer={offer} whatsapp={props.whatsapp} />;
  }
  const held: HeldBooking | null = bookedAs === JSON.stringify(choice) ? payment.held : null;
  // For the page as it came; once it is alive the focus goes where an answer sends it.
  const firstWrong = hydrated ? null : (returned?.goTo ?? errorLines(errors, offer)[0]?.field);
  return (
    <>
      <h2 className="display mb-8 text-2xl lg:text-3xl">Book your session</h2>
      <form
        {...getFormProps(form)}
        ref={formRef}
        method="post"
        action={`${href("/")}?index`}
        onSubmit={onSubmit}
        onInput={readForm}
        onFocus={() => void loadSchema().catch(() => {})}
        noValidate
        className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-12"
      >
        {/* What is being booked stays what the page says. */}
        <div className="grid min-w-0 gap-8" inert={pending}>
          <Problems returned={returned} errors={errors} offer={offer} />
          <input type="hidden" name="shownTotal" value={offer.shownTotals} />
          <Honeypot />
          <FormSection
            id="booking-you"
            number={1}
            title="Your details"
            done={isPersonDone(choice, fields)}
          >
            <PersonFields fields={fields} focus={firstWrong ?? null} onEmail={readForm} />
          </FormSection>
          <FormSection
            id="booking-captain"
            number={2}
            title="Captain"
            done={counselor !== null}
            describedBy={fields.counselor.errors ? fields.counselor.errorId : undefined}
          >
            <CaptainChoice
              field={fields.counselor}
              counselors={offer.counselors}
              autoFocus={firstWrong === "counselor"}
            />
          </FormSection>
          <FormSection
            id="booking-package"
            number={3}
            title="Session"
            done={chosenPackage !== undefined}
            describedBy={fields.package.errors ? fields.package.errorId : undefined}
          >
            <PackageChoice
              field={fields.package}
              packages={offer.packages}
              autoFocus={firstWrong === "package"}
            />
          </FormSection>
          <FormSection id="booking-day" number={4} title="Date" done={choice.date !== ""}>
            <DateChoice
              field={fields.date}
              offer={offer}
              hydrated={hydrated}
              choice={choice}
              generation={generation}
              onChoose={chooseDate}
              autoFocus={firstWrong === "date"}
            />
          </FormSection>
          <FormSection id="booking-slots" number={5} title="Time" done={choice.timeSlot !== ""}>
            <TimeChoice
              field={fields.timeSlot}
              choice={choice}
              slots={hydrated ? slots : (returned?.slots ?? { step: "idle" })}
              counselor={counselor}
              hydrated={hydrated}
              notice={timeNotice}
              onChoose={chooseTime}
              onRetry={() => setGeneration((count) => count + 1)}
              onPick={pick}
              autoFocus={firstWrong === "timeSlot"}
            />
          </FormSection>
          <FormSection
            id="booking-more"
            number={6}
            title="Anything to add"
            aside="optional"
            done={false}
          >
            <MoreDetails fields={fields} />
          </FormSection>
        </div>
        <SubmitPanel
          choice={choice}
          counselor={counselor}
          chosenPackage={chosenPackage ?? null}
          step={payment.step.name}
          held={held}
          own={props.own}
          whatsapp={props.whatsapp}
          payMinutes={props.payMinutes}
          cutoffHours={props.cutoffHours}
          fromTotal={offer.packages[0]?.total ?? ""}
        />
      </form>
    </>
  );
}

interface ProblemsProps {
  returned: Returned | null;
  errors: Record<string, string[] | null>;
  offer: Offer;
}

function Problems({ returned, errors, offer }: ProblemsProps) {
  const lines = errorLines(errors, offer);
  if (lines.length === 0 && !returned?.notice) return null;
  return (
    <ErrorSummary
      title={returned?.notice?.title ?? "Please check these entries"}
      text={returned?.notice?.text ?? null}
      lines={lines}
    />
  );
}

function isPersonDone(
  choice: Choice,
  fields: Record<"name" | "email" | "phone", { errors: string[] | undefined }>,
): boolean {
  const wrong = fields.name.errors ?? fields.email.errors ?? fields.phone.errors;
  return Boolean(choice.name && choice.email && choice.phone && !wrong);
}

function choicesOf(offer: Offer) {
  return {
    counselors: offer.counselors.map((one) => one.name),
    minutes: offer.packages.map((one) => one.minutes),
    times: null,
  };
}

function firstChoice(values: Record<string, unknown> | null | undefined): Choice {
  const text = (field: keyof Choice) => String(values?.[field] ?? "");
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    counselor: text("counselor"),
    package: text("package"),
    date: text("date"),
    timeSlot: text("timeSlot"),
  };
}
