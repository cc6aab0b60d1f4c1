/** The nonce of this rendering, for an inline script of our own; in the browser there is none. */
import { createContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);
