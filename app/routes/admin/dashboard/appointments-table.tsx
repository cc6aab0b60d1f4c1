/** Recent Appointments: a table with a sticky head, one card a row on a phone. */
import { href, Link } from "react-router";
import { AdminIcon, type AdminIconName } from "#app/routes/admin/parts/icons.tsx";
import { InvoiceLink } from "#app/routes/admin/parts/invoice-link.tsx";
import { listHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";
import type { RowView } from "./dashboard-view.server.ts";

interface TableProps {
  rows: readonly RowView[];
  listSearch: string;
  sort: string;
}

export function AppointmentsTable({ rows, listSearch, sort }: TableProps) {
  return (
    <table className="board board-two-lines" aria-labelledby="appointments">
      <thead>
        <tr>
          <th scope="col">ID</th>
          <th scope="col">Customer</th>
          <th scope="col">Counselor</th>
          <SortHead name="date" label="Date & Time" {...{ sort, listSearch }} />
          <th scope="col">Package</th>
          <th scope="col">Status</th>
          <SortHead name="amount" label="Amount" number {...{ sort, listSearch }} />
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} listSearch={listSearch} />
        ))}
      </tbody>
    </table>
  );
}

function SortHead({
  name,
  label,
  sort,
  listSearch,
  number = false,
}: {
  name: string;
  label: string;
  sort: string;
  listSearch: string;
  number?: boolean;
}) {
  const current = sort === name ? "ascending" : sort === `-${name}` ? "descending" : null;
  const search = new URLSearchParams(listSearch);
  search.set("sort", current === "descending" ? name : `-${name}`);
  search.delete("page");
  return (
    <th scope="col" aria-sort={current ?? undefined} className={number ? "number" : undefined}>
      <Link
        to={listHref(href("/admin"), search.toString())}
        preventScrollReset
        className="inline-flex min-h-6 items-center gap-1 underline decoration-line underline-offset-4 hover:decoration-current"
      >
        {label}
        <span aria-hidden="true" className="w-3">
          {current === "ascending" ? "↑" : current === "descending" ? "↓" : ""}
        </span>
      </Link>
    </th>
  );
}

function Row({ row, listSearch }: { row: RowView; listSearch: string }) {
  const view = withList(href("/admin/appointments/:id", { id: row.id }), listSearch);
  return (
    <tr id={`row-${row.id.slice(-8)}`}>
      <td data-label="ID" className="steady font-mono">
        {row.tableId}
      </td>
      <th scope="row" data-label="Customer" className="loose font-normal">
        <div>
          <Link to={view} preventScrollReset className="font-semibold hover:underline">
            {row.name}
          </Link>
          <div className="text-muted">{row.email}</div>
          <div className="text-muted">{row.phone}</div>
        </div>
      </th>
      <td data-label="Counselor">{row.counselor}</td>
      <td data-label="Date & Time" className="steady">
        <div>
          <div>{row.date}</div>
          <div className="font-semibold">{row.time}</div>
        </div>
      </td>
      <td data-label="Package" className="steady">
        <div>
          <div>{row.minutes} min</div>
          <div className="text-muted">{row.price} + GST</div>
        </div>
      </td>
      <td data-label="Status">
        <div>
          <span className="whitespace-nowrap">
            <StatusBadge status={row.status} />
          </span>
          {row.note && <div className="mt-0.5 text-sm text-muted">{row.note}</div>}
        </div>
      </td>
      <td data-label="Amount" className="number font-semibold">
        {row.amount}
      </td>
      <td className="actions">
        <RowActions row={row} listSearch={listSearch} />
      </td>
    </tr>
  );
}

function RowActions({ row, listSearch }: { row: RowView; listSearch: string }) {
  const { id, name } = row;
  const over = row.status === "cancelled";
  const to = (path: string) => withList(path, listSearch);
  // Five links of a row must not be named as those of the next one.
  const named = (word: string) => ({ "aria-label": `${word}: ${name}`, title: word });
  /** Without a path it is disabled. */
  const action = (icon: AdminIconName, word: string, path: string | null, danger = false) => {
    const shown = {
      ...named(word),
      className: `row-action ${danger ? "row-action-danger" : ""}`,
      children: <Words icon={icon} word={word} />,
    };
    if (path === null) return <button type="button" disabled {...shown} />;
    return <Link to={to(path)} preventScrollReset {...shown} />;
  };
  return (
    <div>
      {action("view", "View Details", href("/admin/appointments/:id", { id }))}
      {action(
        "move",
        "Reschedule",
        over ? null : href("/admin/appointments/:id/reschedule", { id }),
      )}
      {action(
        "cancel",
        "Cancel",
        over ? null : href("/admin/appointments/:id/cancel", { id }),
        true,
      )}
      <InvoiceLink
        url={row.invoiceUrl}
        absentTo={to(href("/admin/appointments/:id/invoice", { id }))}
        className={`row-action ${row.invoiceUrl ? "" : "text-muted"}`}
        {...named("Download Invoice")}
      >
        <Words icon="invoice" word="Download Invoice" />
      </InvoiceLink>
      {action("remove", "Delete", href("/admin/appointments/:id/delete", { id }), true)}
    </div>
  );
}

function Words({ icon, word }: { icon: AdminIconName; word: string }) {
  return (
    <>
      <AdminIcon name={icon} />
      <span className="word">{word}</span>
    </>
  );
}
