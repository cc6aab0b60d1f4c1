/** A captain's start page leads into the next session: as the host of a Zoom room, else by its link. */
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { zoomTill } from "#tests/support/zoom-till.ts";
import { readOwnDay } from "./dashboard-view.server.ts";
import { OwnDayView } from "./sessions-board.tsx";

const zoom = zoomTill();
const { till } = zoom;

/** The addresses that the start page links to. */
function linksOnStart(): string[] {
  const day = readOwnDay(till.deps, "asha");
  const router = createMemoryRouter([{ path: "/", element: createElement(OwnDayView, { day }) }]);
  const html = renderToString(createElement(RouterProvider, { router }));
  return [...html.matchAll(/ href="([^"]+)"/g)].map(([, to]) => to!);
}

it("starts the Zoom meeting as its host, and does not join it as the customer does", async () => {
  const { id } = await till.bookAndPay();
  expect(linksOnStart().join(" ")).not.toMatch(/host|zoom/);
  await zoom.later();
  const { calendarUid, roomUrl } = till.booking(id);
  expect(linksOnStart()).toContain(`/admin/sessions/${calendarUid}/host`);
  expect(linksOnStart()).not.toContain(roomUrl);
});

it("joins by the link that captain and customer share", async () => {
  const address = "https://meet.example/captain";
  zoom.setRoom("asha", { kind: "link", address });
  await till.bookAndPay();
  expect(linksOnStart()).toContain(address);
  expect(linksOnStart().join(" ")).not.toContain("/host");
});
