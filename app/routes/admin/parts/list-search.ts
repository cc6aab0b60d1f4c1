/**
 * Row dialogs carry the search of what they stand over in one parameter, so that closing one keeps
 * the filters: the list of appointments, or the calendar, whose search always names its view.
 */
import { useNavigation } from "react-router";

/** Takes the focus when what had it is gone, for example the row that opened a dialog. */
export const LIST_HEADING_ID = "appointments";

const NAME = "list";
const OF_CALENDAR = "view";

/** The search of the list or calendar that a page belongs to, without a question mark. */
export function listSearchOf({ pathname, search }: { pathname: string; search: string }): string {
  const own = new URLSearchParams(search);
  if (/^\/admin(\/calendar)?\/?$/.test(pathname)) return own.toString();
  return own.get(NAME) ?? (pathname.startsWith("/admin/calendar/") ? `${OF_CALENDAR}=day` : "");
}

/** What stands at the list alone, such as an invoice, keeps its path. */
const OVER_BOTH =
  /^\/admin(?=$|\/slots$|\/refunds\/\w+\/settle$|\/appointments\/(?!new$)\w+(\/(reschedule|cancel|delete|edit|payment|refund))?$)/;

/** The path as it is over the calendar, if the search is the calendar's. */
export function placed(path: string, listSearch: string): string {
  if (!new URLSearchParams(listSearch).has(OF_CALENDAR)) return path;
  return path.replace(OVER_BOTH, "/admin/calendar");
}

/** What opens over the list or the calendar. */
export function isDialog({ pathname }: { pathname: string }): boolean {
  return /^\/admin\/(calendar\/)?(appointments\/(?!new$)|refunds|slots)/.test(pathname);
}

/** The search of the page at `path`: the one that is loading, else the one shown. */
export function useSearchOf(path: string, shown: string): string {
  const { state, location } = useNavigation();
  if (state !== "loading" || location.pathname !== path) return shown;
  return new URLSearchParams(location.search).toString();
}

/** `path` with what brings back to the list. */
export function withList(
  path: string,
  listSearch: string,
  more: Record<string, string> | URLSearchParams = {},
): string {
  const search = new URLSearchParams(more);
  if (listSearch) search.set(NAME, listSearch);
  const text = search.toString();
  const at = placed(path, listSearch);
  return text ? `${at}?${text}` : at;
}

export function listHref(listPath: string, listSearch: string): string {
  return listSearch ? `${placed(listPath, listSearch)}?${listSearch}` : listPath;
}
