import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { historyView } from "#app/routes/admin/parts/views.server.ts";
import { HistoryPart } from "./details-parts.tsx";

it("lines of the history that say the same are told apart", () => {
  const none = { role: null, target: null, before: null, after: null, about: "" };
  const line = { ...none, at: 0, actor: "admin", action: "resend", words: "Sent again" } as const;
  const history = [line, line].map(historyView).reverse();
  const list: ReactElement<{ children: ReactElement[] }> = HistoryPart({
    history,
  }).props.children.at(-1);
  expect(list.props.children.map(({ key }) => key)).toEqual(["1", "0"]);
});
