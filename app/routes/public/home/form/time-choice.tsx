import type { FieldMetadata } from "@conform-to/react";
import { FieldError } from "#app/components/field.tsx";
import { formatDay, formatLongDay, formatSlot } from "#app/model/dates.ts";
import type { CounselorView, FreeTime } from "#app/routes/public/parts/offer.ts";
import { ownTimeOf, ownZoneName } from "#app/routes/public/parts/own-time.ts";
import { TimeGrid } from "#app/routes/public/parts/time-grid.tsx";
import type { Choice } from "./fields.ts";
import { NextTimes } from "./next-times.tsx";
import type { SlotState } from "./use-slots.ts";

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
  onPick: (time: FreeTime) => void;
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
          // Who presses on while the times come has chosen all the same; the server knows if it fits.
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
            onPick={props.onPick}
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
