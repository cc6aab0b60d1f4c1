import { useEffect, useState } from "react";
import { addDays } from "#app/model/dates.ts";
import { fetchAvailability, fetchSlots, type SlotQuery } from "./availability.ts";

export type SlotState =
  | { step: "idle" }
  | { step: "loading" }
  | { step: "failed" }
  | { step: "ready"; slots: string[]; next: { date: string; timeSlot: string }[] };

/** Days after a full one in which the next free times are looked for; the server goes on from there. */
const LOOK_AHEAD_DAYS = 14;

/**
 * The times of the chosen captain and date. a new `generation` asks again; `first` are the times that
 * came with the page.
 */
export function useSlots(query: SlotQuery, generation: number, first: SlotState): SlotState {
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
    load({ counselor, date, package: minutes }).then(settle, () => settle({ step: "failed" }));
    return () => {
      stale = true;
    };
  }, [counselor, date, minutes, generation, wanted]);

  if (!wanted) return { step: "idle" };
  return state.key === key && state.value.step !== "idle" ? state.value : { step: "loading" };
}

async function load(query: SlotQuery): Promise<SlotState> {
  const slots = await fetchSlots(query);
  if (slots.length > 0) return { step: "ready", slots, next: [] };
  const to = addDays(query.date, LOOK_AHEAD_DAYS);
  const { next } = await fetchAvailability(query.counselor, query.date, to, query.package);
  return { step: "ready", slots, next };
}
