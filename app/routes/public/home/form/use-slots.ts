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
 * The times of the chosen captain and date. `generation` asks anew; `first` are the times that
 * came with the page.
 */
export function useSlots(wish: SlotQuery, generation: number, first: SlotState): SlotState {
  const { counselor, date, package: minutes } = wish;
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

async function load(wish: SlotQuery): Promise<SlotState> {
  const slots = await fetchSlots(wish);
  if (slots.length > 0) return { step: "ready", slots, next: [] };
  const to = addDays(wish.date, LOOK_AHEAD_DAYS);
  const { next } = await fetchAvailability(wish.counselor, wish.date, to, wish.package);
  return { step: "ready", slots, next };
}
