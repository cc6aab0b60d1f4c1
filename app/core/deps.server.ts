/** What every operation is given: database, configuration, clock, log and outside services. */
import type { Logger } from "pino";
import { pino } from "pino";
import { createContext } from "react-router";
import type { FailureCode } from "#app/model/outcome.ts";
import type { OpenDb } from "#db/connection.server.ts";
import type { Device } from "./cookies.server.ts";
import type { Env } from "./env.server.ts";
import type { DocumentRenderer, PaymentProvider, RoomServer, Senders } from "./services.ts";

export interface Deps {
  db: OpenDb;
  env: Env;
  /** Milliseconds since the epoch; tests set their own. */
  now: () => number;
  provider: PaymentProvider;
  documents: DocumentRenderer;
  senders: Senders;
  /** Null where no account is configured. */
  rooms: RoomServer | null;
  log: Logger;
  metrics: Metrics;
  /** Tells the background worker that there is work to take up at once. */
  wake: () => void;
}

/** For reading, and for changes whose queued work the worker picks up by itself. */
export type ReadDeps = Pick<Deps, "db" | "env" | "now">;
export type ChangeDeps = Pick<Deps, keyof ReadDeps | "wake">;

export const depsContext = createContext<Deps>();

export interface Client {
  /** The client's address as the server knows it, with or without a proxy. */
  address: string;
  /** Set if the browser has signed in to an account before, by its signed cookie. */
  device?: Device | null;
  requestId: string;
  /** The pattern of the route that answered, `/booking/:id`; null until one is found. */
  route: string | null;
  /** Set when the database could not be used: the framework's 500 then becomes a 503. */
  unavailable?: boolean;
  /** Set for a rendering that is kept for many visitors. */
  forMany?: boolean;
}

export const clientContext = createContext<Client>();

export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void;
  /** `outcome` is `booked`, `repeated` or the code of a refusal. */
  booking(outcome: string): void;
  payment(outcome: string): void;
  /** A request was refused before its route was asked; `reason` is the code of the refusal. */
  refused(reason: FailureCode): void;
  /** The event loop stood still for more than 200 ms in one turn. */
  slowTurn(route: string): void;
  text(): Promise<string>;
  close(): void;
}

/** JSON lines on standard output. Secrets, codes, tokens and personal data are never logged. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ["err.config", "err.request", "err.response", "*.authorization", "*.cookie"],
      remove: true,
    },
  });
}
