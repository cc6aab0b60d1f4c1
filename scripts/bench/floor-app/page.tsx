import { createElement, type ReactNode } from "react";
import type { PageNode } from "../floor-page.ts";
import { given } from "./given.ts";

export function loader() {
  return { filler: given.floor.filler };
}

/** The product's own elements, from no component, state or data: only what React and the router take. */
export default function Page() {
  return given.floor.tree.map(render);
}

function render(node: PageNode, key: number): ReactNode {
  if (typeof node === "string") return node;
  return createElement(node.tag, { ...node.attributes, key }, ...node.children.map(render));
}
