/** `/admin/calendar`. `dashboard.tsx` renders the calendar, so that it stays when a dialog opens. */
import type { Route } from "./+types/calendar-address";
import stylesheet from "./calendar.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export default function CalendarAddress() {
  return null;
}
