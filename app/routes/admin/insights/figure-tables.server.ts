/** The tables of insights: a number leads to the list whose rows it sums. */
import { href } from "react-router";
import { formatRupees, type SessionFigures } from "#app/model/money.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import { PAID } from "#app/model/statuses.ts";
import { LIST_HEADING_ID, listHref } from "#app/routes/admin/parts/list-search.ts";

/** As the list's address names them. */
type Filters = Partial<
  Record<
    "startDate" | "endDate" | "counselor" | "status" | "package" | "attendance" | "refunded",
    string | undefined
  >
>;

interface Column {
  name: string;
  of: (figures: SessionFigures) => string;
  /** Null where no list of its own shows it. */
  filters: Filters | null;
}

const count = new Intl.NumberFormat("en-IN");
const paid = PAID.join();

/** Paid sessions of which nobody has said whether they took place. */
export function notNoted({ paid, completed, noShow }: SessionFigures): number {
  return paid - completed - noShow;
}

const column = (name: string, of: (figures: SessionFigures) => number, filters: Filters = {}) => {
  return { name, of: (figures: SessionFigures) => count.format(of(figures)), filters };
};

export const SESSIONS: readonly Column[] = [
  column("Booked", ({ booked }) => booked),
  column("Paid", (figures) => figures.paid, { status: paid }),
  column("Completed", ({ completed }) => completed, { attendance: "completed" }),
  column("No-show", ({ noShow }) => noShow, { attendance: "no_show" }),
  column("Not noted yet", notNoted, { status: paid, attendance: "none" }),
  column("Cancelled", ({ cancelled }) => cancelled, { status: "cancelled" }),
];
export const MONEY: readonly Column[] = [
  { name: "Revenue kept", of: ({ keptPaise }) => formatRupees(keptPaise), filters: {} },
  {
    name: "Refunded",
    of: ({ refundedPaise }) => formatRupees(refundedPaise),
    filters: { refunded: "yes" },
  },
  {
    name: TAKEN_BACK,
    of: ({ takenBackPaise }) => formatRupees(takenBackPaise),
    filters: null,
  },
];

export interface FigureTable {
  /** The first is that of the rows' names. */
  columns: string[];
  rows: { name: string; cells: { words: string; to: string | null }[] }[];
}

/** One row for each of what is counted. */
export function tableOf(
  heading: string,
  columns: readonly Column[],
  rows: readonly { name: string; figures: SessionFigures; filters: Filters }[],
): FigureTable {
  return {
    columns: [heading, ...columns.map(({ name }) => name)],
    rows: rows.map(({ name, figures, filters }) => ({
      name,
      cells: columns.map((one) => ({
        words: one.of(figures),
        to: one.filters && listOf({ ...filters, ...one.filters }),
      })),
    })),
  };
}

/** One row for each column: ranges side by side. */
export function turned({ columns, rows }: FigureTable, heading: string): FigureTable {
  return {
    columns: [heading, ...rows.map(({ name }) => name)],
    rows: columns.slice(1).map((name, i) => ({
      name,
      cells: rows.map(({ cells }) => cells[i]!),
    })),
  };
}

function listOf(filters: Filters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, value);
  return `${listHref(href("/admin"), search.toString())}#${LIST_HEADING_ID}`;
}
