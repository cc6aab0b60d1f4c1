/** The choice of the day and the time. */
import { type RefObject, Suspense, startTransition, useEffect, useRef, useState } from "react";
import { FieldError } from "#app/components/field.tsx";
import { formatDay, formatLongDay, formatSlot } from "#app/model/dates.ts";
import {
  Calendar,
  calendarRoom,
  freeTimesWords,
  NativeDate,
  NoTimes,
  StartTimes,
} from "#app/routes/public/parts/form-parts.tsx";
import { FreeTimeButton } from "./eager-parts.tsx";
import { type ReadySlots, useCounts } from "./free-times.ts";
import type { BookingFormState } from "./use-booking-form.ts";

export function DateChoice({ booking }: { booking: BookingFormState }) {
  const { choice } = booking;
  const { offer } = booking.home;
  const field = booking.fields.date;
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNear(box);
  const showCalendar = useFieldReleased(box, booking.hydrated && isNear);
  const [span, setSpan] = useState<{ from: string; to: string } | null>(null);
  const counts = useCounts(choice, span, booking.generation);
  const native = (
    <NativeDate
      id={field.id}
      defaultValue={choice.date || (field.initialValue ?? "")}
      min={offer.today}
      max={offer.lastDate}
      field={field}
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
            booking.choose({ date: input.value, timeSlot: "" });
        }}
      >
        {showCalendar ? (
          <Suspense fallback={native}>
            <Calendar
              id={field.id}
              chosen={choice.date}
              about={`${choice.counselor} ${choice.package}`}
              min={offer.today}
              today={offer.today}
              max={offer.lastDate}
              counts={counts}
              describedBy={field.errors ? field.errorId : undefined}
              onChoose={(date) => startTransition(() => booking.chooseDay(date))}
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

/** True once the element has come within about a screen's height of the visible area. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // On a slow phone several entries may arrive at once.
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "600px 0px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near, element]);
  return near;
}

/** True once `wanted` and no field in the box has the focus, because its open picker would close. */
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

/** Submits the calendar's date, and sends an input event when it changes, as typing would. */
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

export function TimeChoice({ booking }: { booking: BookingFormState }) {
  const { choice, slots, timeNotice } = booking;
  const field = booking.fields.timeSlot;
  const isFull = slots.step === "ready" && slots.slots.length === 0;
  const next = slots.step === "ready" ? slots.next : [];
  return (
    <StartTimes
      id="booking-time"
      name="timeSlot"
      date={choice.date}
      times={slots.step === "ready" ? slots.slots : []}
      chosen={choice.timeSlot}
      status={
        <div role="status" className={timeNotice ? "font-semibold" : "text-muted"}>
          {timeNotice && <p>{timeNotice}</p>}
          {isFull && <NoTimes className="display text-lg text-ink" />}
          {!isFull && !timeNotice && <p>{statusWords(booking)}</p>}
        </div>
      }
      loading={slots.step === "loading"}
      errorId={field.errorId}
      errors={field.errors}
      className="min-h-64"
      autoFocus={booking.startsAtTimes}
      onChoose={booking.chooseTime}
      after={
        !booking.hydrated && (
          <>
            {/* The server clears a time of another day than the one that is sent. */}
            <input type="hidden" name="timesOf" value={choice.date} />
            <button
              type="submit"
              name="intent"
              value="show-times"
              formNoValidate
              className="button button-quiet mt-4"
            >
              Show times
            </button>
          </>
        )
      }
    >
      {slots.step !== "ready" && choice.timeSlot && (
        // A visitor may submit while the times load; the server checks whether this one is free.
        <input type="hidden" name="timeSlot" value={choice.timeSlot} />
      )}
      {slots.step === "loading" && <Skeleton />}
      {slots.step === "failed" && (
        <button type="button" onClick={booking.retry} className="button button-quiet">
          Load the times again
        </button>
      )}
      {next.length > 0 && <NextTimes booking={booking} next={next} />}
    </StartTimes>
  );
}

function statusWords({ slots, choice }: BookingFormState): string {
  switch (slots.step) {
    case "idle":
      return "Please select a counselor and date first";
    case "loading":
      return "Loading available slots...";
    case "failed":
      return slots.message;
    case "ready":
      return freeTimesWords(slots.slots.length, formatLongDay(choice.date));
  }
}

/** Takes the space of six times while they load. */
function Skeleton() {
  return (
    <div className="tiles" aria-hidden="true">
      {["a", "b", "c", "d", "e", "f"].map((cell) => (
        <span key={cell} className="h-14 rounded-lg border border-line bg-sunken" />
      ))}
    </div>
  );
}

/** The captain's next free times as buttons that choose day and time. */
function NextTimes({ booking, next }: { booking: BookingFormState; next: ReadySlots["next"] }) {
  const counselorKey = booking.counselor?.key ?? "";
  return (
    <div className="mt-4">
      <p className="font-semibold">Next free times</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {next.map(({ date, timeSlot }) => {
          const day = formatDay(date);
          const time = formatSlot(timeSlot);
          return (
            <li key={`${date} ${timeSlot}`}>
              <FreeTimeButton
                time={{ counselorKey, date, timeSlot, day, time }}
                className="button button-quiet figures min-h-11 px-4 py-2"
              >
                {day}, {time}
              </FreeTimeButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
