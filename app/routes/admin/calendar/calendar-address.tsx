/** `/admin/calendar`. The board draws the calendar itself, so that it stays when a dialog opens. */
import type { Route } from "./+types/calendar-address";
import stylesheet from "./calendar.css?url";

/** Loaded before the calendar is shown. */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export default function CalendarAddress() {
  return null;
}
