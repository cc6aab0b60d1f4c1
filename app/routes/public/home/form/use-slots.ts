import { useEffect, useState } from "react";
import { BookingRequestError } from "#app/components/api-client.ts";
import { addDays } from "#app/model/dates.ts";
import { fetchAvailability, fetchSlots, type SlotQuery } from "./availability.ts";

export type SlotState =
  | { step: "idle" }
  | { step: "loading" }
  | { step: "failed"; message: string }
  | { step: "ready"; slots: string[]; next: { date: string; timeSlot: string }[] };

const NOT_LOADED = "The times could not be loaded. Please check your connection and try again.";

/** Days after a full one in which the next free times are looked for; the server goes on from there. */
const LOOK_AHEAD_DAYS = 14;

interface SlotOptions {
  /** Another one asks again. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation asks again
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
