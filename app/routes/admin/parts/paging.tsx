import { Link } from "react-router";
import { listHref, useSearchOf } from "./list-search.ts";

export interface PageView {
  number: number;
  size: number;
  total: number;
}

interface PagingProps {
  page: PageView;
  path: string;
  /** The search of the page shown; only its `page` changes. */
  search: string;
  label: string;
  /** The id of what another page begins with, where that is not the top. */
  top?: string;
}

export function Paging({ page, path, search: shown, label, top }: PagingProps) {
  const search = useSearchOf(path, shown);
  const last = Math.max(1, Math.ceil(page.total / page.size));
  if (last === 1) return null;
  const to = (number: number) => {
    const next = new URLSearchParams(search);
    if (number === 1) next.delete("page");
    else next.set("page", String(number));
    return listHref(path, next.toString()) + (top ? `#${top}` : "");
  };
  const first = (page.number - 1) * page.size + 1;
  const final = Math.min(page.number * page.size, page.total);
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3"
    >
      <p className="figures text-sm text-muted">
        {first} to {final} of {page.total.toLocaleString("en-IN")}
        <span className="sr-only">, </span>
        <span className="ml-2">
          Page {page.number} of {last}
        </span>
      </p>
      <div className="flex gap-2">
        <Step to={page.number > 1 ? to(page.number - 1) : null} word="Previous" rel="prev" />
        <Step to={page.number < last ? to(page.number + 1) : null} word="Next" rel="next" />
      </div>
    </nav>
  );
}

function Step({ to, word, rel }: { to: string | null; word: string; rel: string }) {
  const className = "button button-small button-quiet";
  if (to === null) {
    return (
      <button type="button" disabled className={className}>
        {word}
      </button>
    );
  }
  return (
    <Link to={to} rel={rel} preventScrollReset className={className}>
      {word}
    </Link>
  );
}
