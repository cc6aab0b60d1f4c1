import type { FieldMetadata } from "@conform-to/react";
import { type RefObject, Suspense, startTransition, useEffect, useRef, useState } from "react";
import { FieldError } from "#app/components/field.tsx";
import { Calendar, calendarRoom } from "#app/components/lazy-calendar.ts";
import { NativeDate } from "#app/routes/public/parts/native-date.tsx";
import type { Offer } from "#app/routes/public/parts/offer.ts";
import { fetchAvailability } from "./availability.ts";
import type { Choice } from "./fields.ts";
import { useNear } from "./use-near.ts";

interface DateChoiceProps {
  field: FieldMetadata<string | undefined>;
  offer: Offer;
  hydrated: boolean;
  choice: Choice;
  /** Raised when the free times are known to have changed. */
  generation: number;
  onChoose: (date: string) => void;
  /** A day pressed in the calendar: what follows it comes next. */
  onPress: (date: string) => void;
}

export function DateChoice(props: DateChoiceProps) {
  const { field, offer, choice } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNear(box);
  const replaces = useLetGo(box, props.hydrated && isNear);
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
        {replaces ? (
          <Suspense fallback={native}>
            <Calendar
              id={field.id}
              chosen={choice.date}
              min={offer.today}
              max={offer.lastDate}
              today={offer.today}
              counts={counts}
              describedBy={field.errors ? field.errorId : undefined}
              onChoose={(date) => startTransition(() => props.onPress(date))}
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
function useLetGo(box: RefObject<HTMLElement | null>, wanted: boolean): boolean {
  const [free, setFree] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    const focused = document.activeElement;
    const field = focused && box.current?.contains(focused) ? focused : null;
    if (!field) {
      setFree(true);
      return;
    }
    const onBlur = () => setFree(true);
    field.addEventListener("blur", onBlur);
    return () => field.removeEventListener("blur", onBlur);
  }, [box, wanted]);
  return free;
}

/** Carries the calendar's date, and sends an input event when it changes, as typing would. */
function HiddenDate({ date }: { date: string }) {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef(date);
  useEffect(() => {
    if (told.current === date) return;
    told.current = date;
    input.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [date]);
  return <input ref={input} type="hidden" name="date" value={date} />;
}

/** Free times a day of the month in sight, for the chosen captain and length. */
function useCounts(
  { counselor, package: minutes }: Choice,
  span: { from: string; to: string } | null,
  generation: number,
): Record<string, number> {
  const [counts, setCounts] = useState<Record<string, number>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation asks again
  useEffect(() => {
    setCounts({});
    if (!counselor || !span || span.from > span.to) return;
    let stale = false;
    fetchAvailability(counselor, span.from, span.to, minutes).then(
      ({ days }) => {
        if (!stale) setCounts(days);
      },
      // Without the counts every day can still be chosen; its times say whether any is free.
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [counselor, minutes, span?.from, span?.to, generation]);
  return counts;
}
