/** The product's own elements, from no component, state or data: only what React and the router take. */
import type Database from "better-sqlite3";
import { createElement, type ReactNode } from "react";

export type PageNode =
  | string
  | { tag: string; attributes: Record<string, unknown>; children: PageNode[] };

interface Floor {
  /** The elements to render. */
  tree: readonly PageNode[];
  /** What the page's loader returns, so that the page is as long as ours. */
  filler: readonly string[];
  /** The file with our pragmas and rows. */
  db: Database.Database;
}

/** What the process that serves the floor hands to its routes; set before the first request. */
export const given = globalThis as unknown as { floor: Floor };

export function loader() {
  return { filler: given.floor.filler };
}

export default function Page() {
  return given.floor.tree.map(render);
}

function render(node: PageNode, key: number): ReactNode {
  if (typeof node === "string") return node;
  return createElement(node.tag, { ...node.attributes, key }, ...node.children.map(render));
}
