/** Row dialogs carry the list's search in one parameter, so that closing one keeps the filters. */
import { useNavigation } from "react-router";

const NAME = "list";

/** The search of the list that a page belongs to, without a question mark. */
export function listSearchOf(url: { pathname: string; search: string }): string {
  const own = new URLSearchParams(url.search);
  if (/^\/admin\/?$/.test(url.pathname)) return own.toString();
  return own.get(NAME) ?? "";
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
  more: Record<string, string> = {},
): string {
  const search = new URLSearchParams(more);
  if (listSearch) search.set(NAME, listSearch);
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

export function listHref(listPath: string, listSearch: string): string {
  return listSearch ? `${listPath}?${listSearch}` : listPath;
}

/** What opens over the list. */
export function isDialog({ pathname }: { pathname: string }): boolean {
  return /^\/admin\/(appointments|slots)/.test(pathname);
}
