/** Free days and times from `/api`, cached until they are known to have changed. */
import type { SubmissionResult } from "@conform-to/react";
import { useEffect, useState } from "react";
import type { Availability, Slots } from "#app/availability/read-slots.server.ts";
import { BookingRequestError, bookingQuery, forget, query } from "#app/components/api-client.ts";
import { addDays } from "#app/model/dates.ts";
import type { Notice } from "#app/routes/public/parts/form-problem.tsx";
import type { Choice, NextStep } from "./fields.ts";

export interface ReadySlots {
  step: "ready";
  slots: string[];
  /** The next free times if the day is full. */
  next: { date: string; timeSlot: string }[];
}

export type SlotState =
  | { step: "idle" | "loading" }
  | { step: "failed"; message: string }
  | ReadySlots;

const NOT_LOADED = "The times could not be loaded. Please check your connection and try again.";

/** Days after a full one that are queried; the next free times may come later. */
const LOOK_AHEAD_DAYS = 14;

/** The times of the chosen captain and date; `first` are those that came with the page. */
export function useFreeTimes(query: SlotQuery, first: SlotState) {
  // Increased to load the times again.
  const [generation, setGeneration] = useState(0);
  const reload = () => setGeneration((count) => count + 1);
  const { counselor, date, package: minutes } = query;
  const key = JSON.stringify([counselor, date, minutes, generation]);
  const [state, setState] = useState<{ key: string; value: SlotState }>({ key, value: first });
  const wanted = counselor !== "" && date !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation loads again
  useEffect(() => {
    if (!wanted) return;
    return unlessReplaced(load({ counselor, date, package: minutes }), (value) =>
      setState({ key, value }),
    );
  }, [counselor, date, minutes, generation, wanted]);

  const isKnown = state.key === key && state.value.step !== "idle";
  // Loads the times again once the network is back.
  const hasFailed = isKnown && state.value.step === "failed";
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  });

  const known: SlotState = isKnown ? state.value : { step: "loading" };
  const slots: SlotState = wanted ? known : { step: "idle" };
  return { slots, generation, reload };
}

/** Calls `take` with the answer, unless the returned function is called first. */
function unlessReplaced<T>(answer: Promise<T>, take: (value: T) => void): () => void {
  let replaced = false;
  void answer.then((value) => {
    if (!replaced) take(value);
  });
  return () => {
    replaced = true;
  };
}

/** The available times of the day if there are any, otherwise the defaults; ascending. */
async function load({ counselor, date, package: minutes }: SlotQuery): Promise<SlotState> {
  try {
    const search = new URLSearchParams({ counselor, date, ...(minutes && { package: minutes }) });
    const { availableSlots, defaultSlots } = await bookingQuery<Slots>(`/api/slots?${search}`);
    const slots = availableSlots.length > 0 ? availableSlots : defaultSlots;
    if (slots.length > 0) return { step: "ready", slots, next: [] };
    const to = addDays(date, LOOK_AHEAD_DAYS);
    const { next } = await fetchAvailability(counselor, date, to, minutes);
    return { step: "ready", slots, next };
  } catch (error) {
    const message = error instanceof BookingRequestError ? error.message : NOT_LOADED;
    return { step: "failed", message };
  }
}

/** The number of free times on each day of the span. */
export function useCounts(
  { counselor, package: minutes }: Choice,
  span: { from: string; to: string } | null,
  generation: number,
): Record<string, number> {
  const [counts, setCounts] = useState<Record<string, number>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation loads again
  useEffect(() => {
    setCounts({});
    if (!counselor || !span || span.from > span.to) return;
    const loaded = fetchAvailability(counselor, span.from, span.to, minutes);
    // Without the counts every day can still be chosen, and then shows whether a time is free.
    return unlessReplaced(
      loaded.catch(() => ({ days: {} })),
      ({ days }) => setCounts(days),
    );
  }, [counselor, minutes, span?.from, span?.to, generation]);
  return counts;
}

/** Each is empty until chosen. */
type SlotQuery = Pick<Choice, "counselor" | "date" | "package">;

async function fetchAvailability(
  counselor: string,
  from: string,
  to: string,
  minutes: string,
): Promise<Availability> {
  const search = new URLSearchParams({ counselor, from, to, ...(minutes && { package: minutes }) });
  const answer = await query<{ data: Availability }>(["/api", `availability?${search}`]);
  return answer!.data;
}

/** Clears the cache; to be called when free times may have changed. */
export function forgetAvailability(): void {
  forget("/api/slots");
  forget("/api/availability");
}

/** The action's data for a form that was submitted without scripts. */
export interface Returned {
  reply: SubmissionResult<string[]>;
  /** What happened, for example that the time was taken. */
  notice: Notice | null;
  slots: ReadySlots | null;
  /** Why a time was cleared. */
  timeLost: string | null;
  /** Where the visitor continues; null: at the errors, or at the next step. */
  goTo: "timeSlot" | "chosen" | null;
  /** An address that looked mistyped, which is accepted if submitted again; "" for none. */
  askedEmail: string;
  /** The first empty field after a choice. */
  next: NextStep | null;
}
