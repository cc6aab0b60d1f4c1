/** What the process that serves the floor hands to its routes. */
import type Database from "better-sqlite3";
import type { PageNode } from "../floor-page.ts";

export interface Given {
  /** The elements to render. */
  tree: readonly PageNode[];
  /** What the page's loader returns, so that the page is as long as ours. */
  filler: readonly string[];
  /** The file with our pragmas and rows. */
  db: Database.Database;
}

/** Set before the first request. */
export const given = globalThis as unknown as { floor: Given };
