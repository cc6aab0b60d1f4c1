/** What who is signed in may do: buttons and links of what they may not are not shown. */
import { createContext, useContext } from "react";
import type { Subject } from "#app/model/roles.ts";

const MayContext = createContext<readonly Subject[]>([]);

export const MayProvider = MayContext.Provider;

export function useMay(subject: Subject): boolean {
  return useContext(MayContext).includes(subject);
}
