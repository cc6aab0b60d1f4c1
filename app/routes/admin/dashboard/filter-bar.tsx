/** The filters of the list, as a form whose address is the filtered list. */
import { Form, href, Link, useNavigate } from "react-router";
import { askedField, SelectField, TextField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icons.tsx";
import { PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { ATTENDANCES, PAID } from "#app/model/statuses.ts";
import { attendanceLabel, STATUS_LABELS } from "#app/model/wording.ts";
import { useFilledForm } from "#app/routes/admin/parts/list-parts.tsx";
import { LIST_HEADING_ID, listHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { DialogLink, useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import type { DashboardData } from "./dashboard-view.server.ts";
import { ExportButton, ExportForm } from "./export-button.tsx";
import { SORT_LABELS, USUAL_SORT } from "./list-head.tsx";

type Filters = DashboardData["filters"];

type Options = (readonly [value: string, label: string])[];

const ALL_PAID = PAID.join(",");
const STATUSES: Options = [
  ...Object.entries(STATUS_LABELS),
  [ALL_PAID, "Paid (confirmed, rescheduled)"],
];
const PACKAGES: Options = PACKAGE_MINUTES.map((minutes) => [String(minutes), `${minutes} min`]);
const ATTENDANCE: Options = [...ATTENDANCES, "none" as const].map((one) => [
  one,
  attendanceLabel(one),
]);

interface FilterBarProps {
  filters: Filters;
  counselors: readonly string[];
  /** The query string that `filters` come from. */
  shown: string;
  busy: boolean;
}

export function FilterBar({ filters, counselors, shown, busy }: FilterBarProps) {
  const listSearch = useListSearch();
  const filled = { ...filters, sort: filters.sort || USUAL_SORT };
  const field = (name: keyof Filters) => askedField(name, filled[name]);
  const select = (name: keyof Filters, label: string, options: Options) => (
    <SelectField field={field(name)} label={label} options={options} />
  );
  const captains = counselors.map((name) => [name, name] as const);
  const { form, ask } = useFilledForm(shown, filled);
  const navigate = useNavigate();
  const mayExport = useMay("business");
  const { attendance, refunded, sort } = filters;
  const isMore = [filters.package, attendance, refunded, sort].some(Boolean);
  return (
    <>
      <Form
        ref={form}
        role="search"
        aria-label="Filter appointments"
        action={`${href("/admin")}#${LIST_HEADING_ID}`}
        className="card my-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          const search = searchOf(event.currentTarget);
          ask(search);
          void navigate(listHref(href("/admin"), search), { preventScrollReset: true });
        }}
      >
        <div className="narrow-input grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3">
          <TextField field={field("startDate")} label="From" type="date" />
          <TextField field={field("endDate")} label="To" type="date" />
          {select("counselor", "Counselor", [["", "All Counselors"], ...captains])}
          {select("status", "Status", [
            ["", "All Status"],
            ...severalOf(filters.status),
            ...STATUSES,
          ])}
          <TextField
            field={field("q")}
            label="Search"
            type="search"
            placeholder="Name, email, phone or ID"
            maxLength={100}
            className="col-span-full md:col-span-2"
          />
        </div>
        <details open={isMore} className="mt-2">
          <summary className="link inline-flex min-h-8 cursor-pointer items-center">
            Package, attendance, refunds, order
          </summary>
          <div className="narrow-input grid grid-cols-2 gap-3 md:grid-cols-4">
            {select("package", "Package", [["", "All Packages"], ...PACKAGES])}
            {select("attendance", "Attendance", [["", "Any"], ...ATTENDANCE])}
            {select("refunded", "Refunds", [
              ["", "Any"],
              ["yes", "With a refund"],
            ])}
            {select("sort", "Order", Object.entries(SORT_LABELS))}
          </div>
        </details>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <button
            type="submit"
            className="button button-primary max-sm:grow"
            aria-busy={busy || undefined}
          >
            Apply Filters
          </button>
          {mayExport && <ExportButton />}
          <Link
            to={withList(href("/admin/appointments/new"), listSearch)}
            className="button button-quiet max-md:hidden"
          >
            Book for a customer
          </Link>
          <DialogLink to={href("/admin/slots")} className="button button-quiet max-sm:grow">
            <Icon name="calendar" />
            Manage Slots
          </DialogLink>
          {listSearch && (
            <Link
              to={href("/admin")}
              preventScrollReset
              className="link inline-flex min-h-11 items-center"
            >
              Clear filters
            </Link>
          )}
        </div>
      </Form>
      {mayExport && <ExportForm />}
    </>
  );
}

/** An option for several statuses at once, which only links ask for. */
function severalOf(status: string): Options {
  const chosen = status.split(",");
  if (chosen.length < 2 || status === ALL_PAID) return [];
  const labels = STATUSES.filter(([one]) => chosen.includes(one)).map(([, label]) => label);
  return [[status, labels.join(", ")]];
}

/** The form as a query string, without empty fields and the default order. */
function searchOf(form: HTMLFormElement): string {
  const search = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text && !(name === "sort" && text === USUAL_SORT)) search.set(name, text);
  }
  return search.toString();
}
