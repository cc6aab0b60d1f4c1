/**
 * Dialogs open over the board: the list of appointments, or the calendar. Their address carries the
 * board's search as one parameter, so that closing one keeps the filters. A calendar's search always
 * names its view.
 */
import { href, useNavigation } from "react-router";

/** Takes the focus if the element that had it is gone, for example the row that opened a dialog. */
export const LIST_HEADING_ID = "appointments";

const NAME = "list";
const OF_CALENDAR = "view";

interface At {
  pathname: string;
  search: string;
}

/** The search of the board that a page belongs to, without a question mark. */
export function listSearchOf({ pathname, search }: At): string {
  const own = new URLSearchParams(search);
  if (/^\/admin(\/calendar)?\/?$/i.test(pathname)) return own.toString();
  return own.get(NAME) ?? "";
}

/** The address of the board that a page belongs to. */
export function boardOf(at: At): string {
  const search = listSearchOf(at);
  if (isDialog(at)) return boardHref(search);
  const isCalendar = at.pathname.toLowerCase().startsWith(href("/admin/calendar"));
  return listHref(href(isCalendar ? "/admin/calendar" : "/admin"), search);
}

export function boardHref(listSearch: string): string {
  const isCalendar = new URLSearchParams(listSearch).has(OF_CALENDAR);
  return listHref(href(isCalendar ? "/admin/calendar" : "/admin"), listSearch);
}

export function isOverCalendar(at: At): boolean {
  return boardOf(at).startsWith(href("/admin/calendar"));
}

/** The panel of a booking; without one, another page or none. */
export function panelOr<T extends string | null>(booking: { id: string } | null, other: T) {
  return booking ? href("/admin/appointments/:id", { id: booking.id }) : other;
}

/** Whether the page opens over the board. */
export function isDialog({ pathname }: { pathname: string }): boolean {
  return /^\/admin\/(appointments\/(?!new$)|refunds|slots)/i.test(pathname);
}

/** The search of the page at `path`: the one being loaded, else the one shown. */
export function useSearchOf(path: string, shown: string): string {
  const { state, location } = useNavigation();
  if (state !== "loading" || location.pathname !== path) return shown;
  return new URLSearchParams(location.search).toString();
}

/** `path` with the parameter that leads back to the board. */
export function withList(
  path: string,
  listSearch: string,
  more: Record<string, string> | URLSearchParams = {},
): string {
  const search = new URLSearchParams(more);
  if (listSearch) search.set(NAME, listSearch);
  return listHref(path, search.toString());
}

type Fields = Readonly<Record<string, string | number | null | undefined>>;

/** The list of appointments with these filters. */
export function filteredHref(filters: Fields): string {
  return `${listHref(href("/admin"), searchOf(filters))}#${LIST_HEADING_ID}`;
}

/** As a query string, without empty fields. */
export function searchOf(fields: Fields): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) search.set(name, String(value));
  return search.toString();
}

export function listHref(path: string, search: string): string {
  return search ? `${path}?${search}` : path;
}
