import { z } from "zod";
import { MASTER_TIMES } from "./time-slot.ts";

const oneSlot = "At least one time slot must be selected";

/** Times of the master list, each once, ascending. */
export const timeSlotsSchema = z
  .array(
    z
      .string({ error: oneSlot })
      .refine((slot) => MASTER_TIMES.includes(slot), "Please select time slots from the list"),
    { error: oneSlot },
  )
  .min(1, oneSlot)
  .max(100, "Please select time slots from the list")
  .transform((slots) => [...new Set(slots)].sort());
