/** The nonce for inline scripts of this rendering; undefined in the browser. */
import { createContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);
