import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { LIST_HEADING_ID, listHref } from "#app/routes/admin/parts/list-search.ts";

interface ListLinkProps {
  search: URLSearchParams;
  className: string;
  "aria-current"?: true | undefined;
  children: ReactNode;
}

/** To the list seen otherwise. With scripts the page stays where it is, without it opens there. */
export function ListLink({ search, ...more }: ListLinkProps) {
  const hash = useHydrated() ? "" : `#${LIST_HEADING_ID}`;
  const to = listHref(href("/admin"), search.toString());
  return <Link to={to + hash} preventScrollReset {...more} />;
}
