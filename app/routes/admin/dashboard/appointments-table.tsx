/** Recent Appointments: a table with a sticky head; on a phone two lines a row, and one link. */
import { href, Link } from "react-router";
import { AttendancePresses } from "#app/routes/admin/parts/attendance-presses.tsx";
import { AdminIconOfSheet, AdminIconSheet } from "#app/routes/admin/parts/icons.tsx";
import { InvoiceLink } from "#app/routes/admin/parts/invoice-link.tsx";
import { LIST_HEADING_ID, withList } from "#app/routes/admin/parts/list-search.ts";
import { useMay } from "#app/routes/admin/parts/may.tsx";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";
import type { RowView } from "./dashboard-view.server.ts";
import { ListLink } from "./list-link.tsx";

const ROW_ICONS = ["view", "move", "cancel", "invoice", "remove"] as const;

interface TableProps {
  rows: readonly RowView[];
  listSearch: string;
  sort: string;
}

export function AppointmentsTable({ rows, listSearch, sort }: TableProps) {
  return (
    <>
      <AdminIconSheet names={ROW_ICONS} />
      <table className="board board-two-lines" aria-labelledby={LIST_HEADING_ID}>
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
    </>
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
      <ListLink
        search={search}
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

function Row({ row, listSearch }: { row: RowView; listSearch: string }) {
  const view = withList(href("/admin/appointments/:id", { id: row.id }), listSearch);
  return (
    <tr>
      <td className="steady font-mono">{row.tableId}</td>
      <th scope="row" className="loose font-normal">
        <Link to={view} preventScrollReset>
          {row.name}
          <span className="on-phone"> Actions</span>
        </Link>
        <div>{row.email}</div>
        <div>{row.phone}</div>
      </th>
      <td>{row.counselor}</td>
      <td className="steady">
        <div>{row.date}</div>
        <b>{row.time}</b>
      </td>
      <td className="steady">
        <div>{row.package}</div>
        <div className="text-muted">{row.price}</div>
      </td>
      <td>
        <StatusBadge status={row.status} />
        {row.note && <div className="text-muted">{row.note}</div>}
        <AttendancePresses of={row.attendance} />
      </td>
      <td className="number">{row.amount}</td>
      <td className="actions">
        <RowActions row={row} listSearch={listSearch} />
      </td>
    </tr>
  );
}

function RowActions({ row, listSearch }: { row: RowView; listSearch: string }) {
  const { id, name } = row;
  const over = row.status === "cancelled";
  const mayDelete = useMay("business");
  const to = (path: string) => withList(path, listSearch);
  /** Five links of a row must not be named as those of the next one. */
  const shown = (icon: (typeof ROW_ICONS)[number], word: string, look = "") => ({
    "aria-label": `${word}: ${name}`,
    title: word,
    className: `row-action ${look}`.trim(),
    children: <AdminIconOfSheet name={icon} />,
  });
  /** Without a path it is disabled. */
  const action = (path: string | null, look: ReturnType<typeof shown>) =>
    path === null ? (
      <button type="button" disabled {...look} />
    ) : (
      <Link to={to(path)} preventScrollReset {...look} />
    );
  const danger = "row-action-danger";
  return (
    <>
      {action(href("/admin/appointments/:id", { id }), shown("view", "View Details"))}
      {action(
        over ? null : href("/admin/appointments/:id/reschedule", { id }),
        shown("move", "Reschedule"),
      )}
      {action(
        over ? null : href("/admin/appointments/:id/cancel", { id }),
        shown("cancel", "Cancel", danger),
      )}
      <InvoiceLink
        url={row.invoiced ? href("/api/invoice/:id", { id }) : null}
        absentTo={to(href("/admin/appointments/:id/invoice", { id }))}
        {...shown("invoice", "Download Invoice", row.invoiced ? "" : "text-muted")}
      />
      {mayDelete &&
        action(href("/admin/appointments/:id/delete", { id }), shown("remove", "Delete", danger))}
    </>
  );
}
