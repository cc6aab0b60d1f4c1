/** What every operation is given: the file, the configuration, the clock and the outside walls. */
import type { Logger } from "pino";
import { createContext } from "react-router";
import type { OpenDb } from "#db/connection.server.ts";
import type { Device } from "./cookies.server.ts";
import type { DocumentRenderer } from "./document-renderer.ts";
import type { Env } from "./env.server.ts";
import type { Metrics } from "./metrics.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { Senders } from "./senders.ts";

export interface Deps {
  db: OpenDb;
  env: Env;
  /** Milliseconds since the epoch; tests set their own. */
  now: () => number;
  provider: PaymentProvider;
  documents: DocumentRenderer;
  senders: Senders;
  log: Logger;
  metrics: Metrics;
  /** Tells the background worker that there is work to take up at once. */
  wake: () => void;
}

/** Set by the server for every request. */
export const depsContext = createContext<Deps>();

export interface Client {
  /** The client's address as the server knows it, with or without a proxy. */
  address: string;
  /** Of a browser that has signed in to an account before; its cookie's signature was right. */
  device?: Device | null;
  requestId: string;
  /** The pattern of the route that answered, `/booking/:id`; null until one is found. */
  route: string | null;
  /** Set when the database could not be used: what the framework calls a 500 is then a 503. */
  unavailable?: boolean;
  /** Set for a rendering that is kept for many visitors. */
  forMany?: boolean;
}

export const clientContext = createContext<Client>();
