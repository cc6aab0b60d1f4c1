/** Parts of lists: search forms with one field, the empty list, paging. */
import { type ReactNode, useEffect, useRef } from "react";
import { Form, Link } from "react-router";
import { askedField, type Field } from "#app/components/field.tsx";
import { formatCount } from "#app/model/money.ts";
import { listHref, useSearchOf } from "./list-search.ts";

interface AskFormProps {
  name: string;
  value: string;
  button: string;
  role?: "search";
  /** The control. */
  children: (field: Field) => ReactNode;
  /** Shown beside the button. */
  beside?: ReactNode;
}

export function AskForm({ name, value, button, role, children, beside }: AskFormProps) {
  const { form, ask } = useFilledForm(value, { [name]: value });
  return (
    <Form
      ref={form}
      role={role}
      className="card mb-4 flex flex-wrap items-end gap-3 p-4"
      onSubmit={(event) => ask(String(new FormData(event.currentTarget).get(name)).trim())}
    >
      {children(askedField(name, value))}
      <button type="submit" className="button button-quiet">
        {button}
      </button>
      {beside}
    </Form>
  );
}

/** The names of a table's columns; those of `numbers` stand at the right. */
export function BoardHead({ names, numbers = [] }: { names: string[]; numbers?: string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" className={numbers.includes(name) ? "number" : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Shown instead of rows: what belongs there, and how it comes about. */
export function EmptyList({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-8 text-center text-muted">
      <p className="text-lg">{title}</p>
      {children && <p className="mx-auto max-w-text">{children}</p>}
    </div>
  );
}

/**
 * A search form whose query is in the address. Its fields are uncontrolled, so what is typed while
 * a page loads stays; an address from a link or the history fills them.
 */
export function useFilledForm(address: string, values: Readonly<Record<string, string>>) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    if (form.current && asked.current !== address) fill(form.current, values);
    asked.current = null;
  }, [address, values]);
  /** Called on submit: this address already matches the fields. */
  const ask = (next: string) => {
    asked.current = next;
  };
  return { form, ask };
}

function fill(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = value;
    }
  }
}

interface PagingProps {
  page: { number: number; size: number; total: number };
  path: string;
  /** The search of the page shown; only its `page` changes. */
  search: string;
  label: string;
  /** The id of the element that other pages open at, if not the top. */
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
        {first} to {final} of {formatCount(page.total)}
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
