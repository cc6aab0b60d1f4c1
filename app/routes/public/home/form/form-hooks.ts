/** The hooks of the booking form: its choices, the free times, the focus and the network. */
import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Availability, Slots } from "#app/availability/read-slots.server.ts";
import { BookingRequestError, bookingQuery, forget, query } from "#app/components/api-client.ts";
import { addDays } from "#app/model/dates.ts";
import type { FreeTime } from "#app/routes/public/home/offer.ts";
import { readEntries, saveEntries } from "#app/routes/public/parts/saved-entries.ts";
import { chosenFreeTime } from "./eager-parts.tsx";
import { CHOSEN, type Choice, TYPED } from "./fields.ts";

/** What the visitor has chosen so far, read from the form itself. */
export function useChoice(form: RefObject<HTMLFormElement | null>, first: Choice) {
  const [choice, setChoice] = useState(first);

  function change(part: Partial<Choice>) {
    setChoice((before) => ({ ...before, ...part }));
  }

  function read(fields: readonly (keyof Choice)[]) {
    if (!form.current) return;
    const data = new FormData(form.current);
    change(Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? "")])));
  }

  // What was chosen before the scripts had loaded, or put back after a reload or Back. A time has no
  // control of its own until the times are there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    read(CHOSEN);
    const { timeSlot } = readEntries();
    if (!first.date && timeSlot) setChoice((now) => (now.date ? { ...now, timeSlot } : now));
  }, []);

  const { date, timeSlot } = choice;
  useEffect(() => {
    if (date) saveEntries({ date, timeSlot });
  }, [date, timeSlot]);

  // The control itself shows what was entered; the rest of the page may follow a frame later.
  return { choice, change, readForm: () => startTransition(() => read(TYPED)) };
}

/** The free time that was chosen last on the page; for its one booking form. */
export function useChosenFreeTime(): FreeTime | null {
  return useSyncExternalStore(
    subscribe,
    () => chosenFreeTime.current,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  chosenFreeTime.onChange = listener;
  return () => {
    chosenFreeTime.onChange = null;
  };
}

export type SlotState =
  | { step: "idle" }
  | { step: "loading" }
  | { step: "failed"; message: string }
  | { step: "ready"; slots: string[]; next: { date: string; timeSlot: string }[] };

const NOT_LOADED = "The times could not be loaded. Please check your connection and try again.";

/** Days after a full one in which the next free times are looked for; the server looks further. */
const LOOK_AHEAD_DAYS = 14;

interface SlotOptions {
  /** A new number loads the times again. */
  generation: number;
  /** The times that came with the page. */
  first: SlotState;
  /** Called when the network is back after the times could not be loaded. */
  onOnline: () => void;
}

/** The times of the chosen captain and date. */
export function useSlots(
  query: SlotQuery,
  { generation, first, onOnline }: SlotOptions,
): SlotState {
  const { counselor, date, package: minutes } = query;
  const key = JSON.stringify([counselor, date, minutes, generation]);
  const [state, setState] = useState<{ key: string; value: SlotState }>({ key, value: first });
  const wanted = counselor !== "" && date !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation loads again
  useEffect(() => {
    if (!wanted) return;
    let stale = false;
    const settle = (value: SlotState) => {
      if (!stale) setState({ key, value });
    };
    load({ counselor, date, package: minutes }).then(settle, (error: unknown) => {
      const message = error instanceof BookingRequestError ? error.message : NOT_LOADED;
      settle({ step: "failed", message });
    });
    return () => {
      stale = true;
    };
  }, [counselor, date, minutes, generation, wanted]);

  const isKnown = state.key === key && state.value.step !== "idle";
  const hasFailed = isKnown && state.value.step === "failed";
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  });

  if (!wanted) return { step: "idle" };
  return isKnown ? state.value : { step: "loading" };
}

async function load(query: SlotQuery): Promise<SlotState> {
  const slots = await fetchSlots(query);
  if (slots.length > 0) return { step: "ready", slots, next: [] };
  const to = addDays(query.date, LOOK_AHEAD_DAYS);
  const { next } = await fetchAvailability(query.counselor, query.date, to, query.package);
  return { step: "ready", slots, next };
}

/** The number of free times on each day of the span, for the chosen captain and length. */
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

interface SlotQuery {
  counselor: string;
  date: string;
  /** Minutes as text; empty while no package is chosen. */
  package: string;
}

/** Bookable times of a date, ascending: the available ones if any, otherwise the defaults. */
async function fetchSlots({ counselor, date, package: minutes }: SlotQuery) {
  const search = new URLSearchParams({ counselor, date, ...(minutes && { package: minutes }) });
  const { availableSlots, defaultSlots } = await bookingQuery<Slots>(`/api/slots?${search}`);
  return availableSlots.length > 0 ? availableSlots : defaultSlots;
}

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

/** Call it when free times may have changed: they are read once and then remembered. */
export function forgetAvailability(): void {
  forget("/api/slots");
  forget("/api/availability");
}

/**
 * A function put into the returned ref runs after the next render, when the control that it is to
 * focus is there and not inert. The control that `pending` makes inert gets the focus back afterwards.
 */
export function useFocusNext(pending: boolean): RefObject<(() => void) | null> {
  const next = useRef<(() => void) | null>(null);
  const focusedBefore = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (pending) {
      focusedBefore.current = document.activeElement;
      return;
    }
    const element = focusedBefore.current;
    focusedBefore.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && element instanceof HTMLElement && element.isConnected) {
      element.focus({ preventScroll: true });
    }
  }, [pending]);

  useLayoutEffect(() => {
    next.current?.();
    next.current = null;
  });

  return next;
}

/** Whether the browser has no network; `resume` is called when it is back, if `waitForNetwork` was. */
export function useOffline(resume: () => void) {
  const [isOffline, setOffline] = useState(false);
  const [isWaiting, setWaiting] = useState(false);

  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    update();
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on once, with the form as it is then
  useEffect(() => {
    if (isOffline || !isWaiting) return;
    setWaiting(false);
    resume();
  }, [isOffline, isWaiting]);

  return {
    offline: isOffline ? (isWaiting ? ("waiting" as const) : ("offline" as const)) : null,
    waitForNetwork(): void {
      setOffline(true);
      setWaiting(true);
    },
  };
}
