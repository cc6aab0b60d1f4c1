/** The list of appointments as a table; on a phone each row has two lines and one link. */
import { href, useNavigate } from "react-router";
import { LIST_HEADING_ID, withList } from "#app/routes/admin/parts/list-search.ts";
import { useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import {
  AttendanceButtons,
  InvoiceLink,
  StatusBadge,
} from "#app/routes/admin/parts/session-parts.tsx";
import type { RowView } from "./dashboard-view.server.ts";
import { ListLink, withChanges } from "./list-head.tsx";

export function AppointmentsTable({ rows, sort }: { rows: readonly RowView[]; sort: string }) {
  const follow = useFollowedLinks();
  const mayDelete = useMay("business");
  const paths = pathsOf(useListSearch());
  const first = rows.find(({ status }) => status !== "cancelled") ?? rows[0];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only acts on links, which the keyboard clicks too.
    <table className="board board-two-lines" aria-labelledby={LIST_HEADING_ID} onClick={follow}>
      <thead>
        <tr>
          <th scope="col">ID</th>
          <th scope="col">Customer</th>
          <th scope="col">Counselor</th>
          <SortHead name="date" label="Date & Time" sort={sort} />
          <th scope="col">Package</th>
          <th scope="col">Status</th>
          <SortHead name="amount" label="Amount" number sort={sort} />
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            paths={paths}
            mayDelete={mayDelete}
            discover={row === first}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Client-side navigation for plain links, which render ten times faster than the router's. */
function useFollowedLinks() {
  const navigate = useNavigate();
  return (event: React.MouseEvent) => {
    const link = (event.target as Element).closest("a");
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const isPlain = button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
    if (!link || link.target || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(link.pathname + link.search, { preventScrollReset: true });
  };
}

interface SortHeadProps {
  name: string;
  label: string;
  sort: string;
  number?: boolean;
}

function SortHead({ name, label, sort, number = false }: SortHeadProps) {
  const listSearch = useListSearch();
  const current = sort === name ? "ascending" : sort === `-${name}` ? "descending" : null;
  const next = current === "descending" ? name : `-${name}`;
  return (
    <th scope="col" aria-sort={current ?? undefined} className={number ? "number" : undefined}>
      <ListLink
        search={withChanges(listSearch, { sort: next })}
        className="inline-flex min-h-6 items-center gap-1 underline decoration-line underline-offset-4 hover:decoration-current"
      >
        {label}
        <span aria-hidden="true" className="w-3">
          {current === "ascending" ? "↑" : current === "descending" ? "↓" : ""}
        </span>
      </ListLink>
    </th>
  );
}

interface RowProps {
  row: RowView;
  paths: RowPaths;
  mayDelete: boolean;
  /** Lets the router discover the routes of the links; one row will do, all have the same routes. */
  discover: boolean;
}

function Row({ row, paths, mayDelete, discover }: RowProps) {
  const isOver = row.status === "cancelled";
  // Includes the customer, so that links of different rows have different names.
  const titleOf = (word: string) => `${word}: ${row.name}`;
  // Icons come from the stylesheet, to have one element per action: a page has up to 250.
  const act = (name: keyof RowPaths, word: string, isClosed = false) => {
    const attributes = { className: `act-${name}`, title: titleOf(word) };
    if (isClosed) return <button type="button" disabled {...attributes} />;
    return <a href={at(paths[name], row)} data-discover={discover || undefined} {...attributes} />;
  };
  return (
    <tr>
      <td className="steady font-mono">{row.tableId}</td>
      <th scope="row" className="loose font-normal">
        <a href={at(paths.view, row)}>{row.name}</a>
        <div className="lines">
          {[row.email, row.phone, row.student && `For ${row.student}`].filter(Boolean).join("\n")}
        </div>
      </th>
      <td className="wrap-anywhere lg:min-w-28">{row.counselor}</td>
      <td className="steady lines">
        {`${row.date}\n`}
        <b>{row.time}</b>
      </td>
      <td className="steady">
        {row.package}
        <div className="text-muted">{row.price}</div>
      </td>
      <td>
        <StatusBadge status={row.status} />
        {row.note && <div className="text-muted">{row.note}</div>}
        <AttendanceButtons of={row.attendance} />
      </td>
      <td className="number">{row.amount}</td>
      <td className="actions">
        {act("view", "View Details")}
        {act("move", "Reschedule", isOver)}
        {act("cancel", "Cancel", isOver)}
        <InvoiceLink
          url={row.invoiced ? at(INVOICE, row) : null}
          absentTo={at(paths.invoice, row)}
          className={row.invoiced ? "act-invoice" : "act-invoice text-muted"}
          title={titleOf("Download Invoice")}
        />
        {mayDelete && act("remove", "Delete")}
      </td>
    </tr>
  );
}

/** Placeholder for the ID in paths that are built once for all rows. */
const ANY = "any";
const INVOICE = href("/api/invoice/:id", { id: ANY });

type RowPaths = ReturnType<typeof pathsOf>;

function pathsOf(listSearch: string) {
  const to = (path: string) => withList(path, listSearch);
  return {
    view: to(href("/admin/appointments/:id", { id: ANY })),
    move: to(href("/admin/appointments/:id/reschedule", { id: ANY })),
    cancel: to(href("/admin/appointments/:id/cancel", { id: ANY })),
    invoice: to(href("/admin/appointments/:id/invoice", { id: ANY })),
    remove: to(href("/admin/appointments/:id/delete", { id: ANY })),
  };
}

const at = (path: string, { id }: RowView) => path.replace(`/${ANY}`, `/${id}`);
