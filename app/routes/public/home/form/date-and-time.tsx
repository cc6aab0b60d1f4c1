/** The day and its times. */
import type { FieldMetadata } from "@conform-to/react";
import { type RefObject, Suspense, startTransition, useEffect, useRef, useState } from "react";
import { FieldError } from "#app/components/field.tsx";
import { formatDay, formatLongDay, formatSlot } from "#app/model/dates.ts";
import {
  type CounselorView,
  type FreeTime,
  freeTimeValue,
  type Offer,
} from "#app/routes/public/home/offer.ts";
import {
  Calendar,
  calendarRoom,
  NativeDate,
  TimeGrid,
} from "#app/routes/public/parts/form-parts.tsx";
import { ownTimeOf, ownZoneName } from "#app/routes/public/parts/own-time.ts";
import { FreeTimeButton, useNear } from "./eager-parts.tsx";
import type { Choice } from "./fields.ts";
import { type SlotState, useCounts } from "./form-hooks.ts";

interface DateChoiceProps {
  field: FieldMetadata<string | undefined>;
  offer: Offer;
  hydrated: boolean;
  choice: Choice;
  /** Raised when the free times are known to have changed. */
  generation: number;
  onChoose: (date: string) => void;
  /** A day chosen in the calendar: the page goes on to what comes next. */
  onCalendar: (date: string) => void;
}

export function DateChoice(props: DateChoiceProps) {
  const { field, offer, choice } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNear(box);
  const showCalendar = useFieldReleased(box, props.hydrated && isNear);
  const [span, setSpan] = useState<{ from: string; to: string } | null>(null);
  const counts = useCounts(choice, span, props.generation);
  const native = (
    <NativeDate
      id={field.id}
      defaultValue={choice.date || (field.initialValue ?? "")}
      min={offer.today}
      max={offer.lastDate}
      invalid={Boolean(field.errors)}
      describedBy={field.errors ? field.errorId : undefined}
    />
  );
  return (
    <>
      <div
        ref={box}
        {...calendarRoom(field.initialValue || offer.today, offer.today, offer.lastDate)}
        onChange={(event) => {
          const input = event.target;
          if (input instanceof HTMLInputElement && input.type === "date")
            props.onChoose(input.value);
        }}
      >
        {showCalendar ? (
          <Suspense fallback={native}>
            <Calendar
              id={field.id}
              chosen={choice.date}
              min={offer.today}
              max={offer.lastDate}
              today={offer.today}
              counts={counts}
              describedBy={field.errors ? field.errorId : undefined}
              onChoose={(date) => startTransition(() => props.onCalendar(date))}
              onMonth={(from, to) => setSpan({ from, to })}
            />
            <HiddenDate date={choice.date} />
          </Suspense>
        ) : (
          native
        )}
      </div>
      <FieldError id={field.errorId} errors={field.errors} />
    </>
  );
}

/** True once `wanted` and no date field in the box has the focus: its open picker would close. */
function useFieldReleased(box: RefObject<HTMLElement | null>, wanted: boolean): boolean {
  const [released, setReleased] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    const focused = document.activeElement;
    const field = focused && box.current?.contains(focused) ? focused : null;
    if (!field) {
      setReleased(true);
      return;
    }
    const onBlur = () => setReleased(true);
    field.addEventListener("blur", onBlur);
    return () => field.removeEventListener("blur", onBlur);
  }, [box, wanted]);
  return released;
}

/** Carries the calendar's date, and sends an input event when it changes, as typing would. */
function HiddenDate({ date }: { date: string }) {
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(date);
  useEffect(() => {
    if (sent.current === date) return;
    sent.current = date;
    input.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [date]);
  return <input ref={input} type="hidden" name="date" value={date} />;
}

interface TimeChoiceProps {
  field: FieldMetadata<string | undefined>;
  choice: Choice;
  slots: SlotState;
  counselor: CounselorView | null;
  hydrated: boolean;
  /** Why a time was cleared. */
  notice: string | null;
  onChoose: (timeSlot: string) => void;
  /** Asks for the times again. */
  onRetry: () => void;
  onChooseFree: (time: FreeTime) => void;
  autoFocus: boolean;
}

export function TimeChoice(props: TimeChoiceProps) {
  const { field, choice, slots, counselor, notice } = props;
  const isElsewhere = props.hydrated && choice.date && ownTimeOf(choice.date, "12:00");
  const zone = isElsewhere ? ownZoneName() : null;
  const isFull = slots.step === "ready" && slots.slots.length === 0;
  const next = slots.step === "ready" ? slots.next : [];
  return (
    <div
      id="booking-time"
      tabIndex={-1}
      role="radiogroup"
      aria-label="Start time"
      aria-busy={slots.step === "loading"}
      aria-describedby={field.errors ? field.errorId : undefined}
      className="min-h-64 rounded-sm outline-offset-8"
    >
      <div role="status" className={notice ? "font-semibold" : "text-muted"}>
        {notice && <p>{notice}</p>}
        {isFull ? <FullDay /> : !notice && <p>{statusWords(props)}</p>}
      </div>
      {zone && slots.step === "ready" && slots.slots.length > 0 && (
        <p className="text-sm text-muted">Your own time ({zone}) is below each one.</p>
      )}
      <div className="mt-4">
        {slots.step !== "ready" && choice.timeSlot && (
          // A visitor may submit while the times load; the server knows whether this one is free.
          <input type="hidden" name="timeSlot" value={choice.timeSlot} />
        )}
        {slots.step === "loading" && <Skeleton />}
        {slots.step === "failed" && (
          <button type="button" onClick={props.onRetry} className="button button-quiet">
            Load the times again
          </button>
        )}
        {isFull && (
          <NextTimes
            times={next.map((free) => ({
              ...free,
              counselorKey: counselor?.key ?? "",
              day: formatDay(free.date),
              time: formatSlot(free.timeSlot),
            }))}
            onChoose={props.onChooseFree}
          />
        )}
        {slots.step === "ready" && slots.slots.length > 0 && (
          <TimeGrid
            slots={slots.slots}
            chosen={choice.timeSlot}
            ownTime={(slot) => (zone ? ownTimeOf(choice.date, slot) : null)}
            onChoose={props.onChoose}
            autoFocus={props.autoFocus}
            errorId={field.errors ? field.errorId : undefined}
          />
        )}
      </div>
      <FieldError id={field.errorId} errors={field.errors} />
      {!props.hydrated && (
        <button
          type="submit"
          name="intent"
          value="show-times"
          formNoValidate
          className="button button-quiet mt-4"
        >
          Show times
        </button>
      )}
    </div>
  );
}

function FullDay() {
  return (
    <>
      <p className="display text-lg text-ink">No slots available for this date</p>
      <p>Please try selecting a different date</p>
    </>
  );
}

function statusWords({ slots, choice }: TimeChoiceProps): string {
  switch (slots.step) {
    case "idle":
      return "Please select a counselor and date first";
    case "loading":
      return "Loading available slots...";
    case "failed":
      return slots.message;
    case "ready": {
      const count = slots.slots.length;
      return `${count} free ${count === 1 ? "time" : "times"} on ${formatLongDay(choice.date)}, Indian time (IST).`;
    }
  }
}

/** Takes the space of six times while they are loading. */
function Skeleton() {
  return (
    <div className="tiles" aria-hidden="true">
      {["a", "b", "c", "d", "e", "f"].map((cell) => (
        <span key={cell} className="h-14 rounded-lg border border-line bg-sunken" />
      ))}
    </div>
  );
}

interface NextTimesProps {
  times: readonly FreeTime[];
  onChoose: (time: FreeTime) => void;
}

/** The next free times of a captain as buttons: each chooses its day and its time. */
function NextTimes({ times, onChoose }: NextTimesProps) {
  if (times.length === 0) return null;
  return (
    <div className="mt-4">
      <p className="font-semibold">Next free times</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {times.map((time) => (
          <li key={freeTimeValue(time)}>
            <FreeTimeButton
              time={time}
              onChoose={onChoose}
              className="button button-quiet figures min-h-11 px-4 py-2"
            >
              {time.day}, {time.time}
            </FreeTimeButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
