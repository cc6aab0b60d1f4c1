/** The chosen session, collapsed to one line with Change; without scripts by the server. */
import { Icon } from "#app/components/icons.tsx";
import { formatShortDay, formatSlot } from "#app/model/dates.ts";
import { ChangeTerms } from "#app/routes/public/parts/own-time.tsx";
import type { BookingFormState } from "./use-booking-form.ts";
import { CHOSEN_ID, type Part } from "./use-chosen-fold.ts";

/** Must stand before the parts that it collapses (`.folds` in `app.css`). */
export function ChosenLine({ booking }: { booking: BookingFormState }) {
  const { fold, terms } = booking;
  return (
    <details
      id={CHOSEN_ID}
      open={fold.isOpen}
      hidden={fold.parts.length === 0}
      onToggle={(event) => fold.toggle(event.currentTarget.open)}
      className="chosen group rounded-lg border border-action bg-action-soft"
    >
      <summary
        // biome-ignore lint/a11y/noAutofocus: a choice made without scripts goes on here
        autoFocus={booking.startsAtChosen}
        className="flex cursor-pointer list-none items-center gap-3 px-4 py-3"
      >
        <span className="min-w-0 flex-1">
          <span className="figures flex gap-2 font-semibold">
            <Icon name="check" className="mt-0.5 size-5 text-action" />
            <span>{chosenWords(booking).join(" · ")}</span>
          </span>
          {terms && (
            <span className="block text-sm text-muted">
              <ChangeTerms {...terms} />
            </span>
          )}
        </span>
        <span className="link shrink-0">
          <span className="group-open:hidden">Change</span>
          <span className="hidden group-open:inline">Close</span>
        </span>
      </summary>
    </details>
  );
}

/** The collapsed parts: `Capt. Asha`, `45 min`, `Wed, 25 Nov, 9:00 AM IST`. */
function chosenWords({ choice, counselor, chosenPackage, fold }: BookingFormState): string[] {
  const { date, timeSlot } = choice;
  const isFolded = (part: Part) => fold.parts.includes(part);
  const time = isFolded("timeSlot") ? `, ${formatSlot(timeSlot)} IST` : "";
  return [
    isFolded("counselor") && counselor ? counselor.name : "",
    isFolded("package") && chosenPackage ? `${chosenPackage.minutes} min` : "",
    isFolded("date") ? `${formatShortDay(date)}${time}` : "",
  ].filter(Boolean);
}
