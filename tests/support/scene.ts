/** What the scenes of every part are made of. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import type { BookingBody } from "./bookings.ts";

export interface Scene {
  /** Lower case with dashes; also the picture's file name. */
  name: string;
  path: string;
  area: "public" | "admin";
  /** The answer's status, where it is not 200. */
  status?: number;
  /** What a person does there; such a scene needs scripts. */
  act?: (page: Page) => Promise<unknown>;
  /** The scene whose markup it has, with other words in it: in `npm test` that one is looked at for both. */
  like?: string;
}

export interface Stage {
  app: TestApp;
  book(changes?: Partial<BookingBody>): Promise<string>;
  paid(changes?: Partial<BookingBody>): Promise<string>;
  /** Signed in as an owner. */
  admin(path: string, init: { method?: string; json?: unknown }): Promise<unknown>;
}
