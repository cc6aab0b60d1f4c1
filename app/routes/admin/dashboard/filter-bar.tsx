/** The filters of the list, as a form whose address is the filtered list. */
import { useState } from "react";
import { Form, href, Link, useNavigate } from "react-router";
import { askedField, SelectField, TextField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icons.tsx";
import { showFailure, showToast } from "#app/components/toasts.ts";
import { STATUS_LABELS } from "#app/model/wording.ts";
import { listHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { useFilledForm } from "#app/routes/admin/parts/use-filled-form.ts";
import type { DashboardData } from "./dashboard-view.server.ts";
import { exportFile } from "./export-file.ts";

type Filters = DashboardData["filters"];

const NEWEST = "-date";

const SORTS = [
  [NEWEST, "Newest session first"],
  ["date", "Oldest session first"],
  ["-created", "Newest booking first"],
  ["created", "Oldest booking first"],
  ["-amount", "Highest amount first"],
  ["amount", "Lowest amount first"],
] as const;

interface FilterBarProps {
  filters: Filters;
  counselors: readonly string[];
  /** The search that the filters are of. */
  shown: string;
  listSearch: string;
  busy: boolean;
}

export function FilterBar({ filters, counselors, shown, listSearch, busy }: FilterBarProps) {
  const filled = { ...filters, sort: filters.sort || NEWEST };
  const field = (name: keyof Filters) => askedField(name, filled[name]);
  const { form, ask } = useFilledForm(shown, filled);
  const navigate = useNavigate();
  const statuses = Object.entries(STATUS_LABELS);
  return (
    <Form
      ref={form}
      role="search"
      aria-label="Filter appointments"
      action={href("/admin")}
      className="card my-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        const search = searchOf(event.currentTarget);
        ask(search);
        void navigate(listHref(href("/admin"), search), {
          preventScrollReset: true,
        });
      }}
    >
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4 xl:grid-cols-[10rem_10rem_1.1fr_11rem_1.4fr_14rem]">
        <TextField field={field("startDate")} label="From" type="date" />
        <TextField field={field("endDate")} label="To" type="date" />
        <SelectField
          field={field("counselor")}
          label="Counselor"
          options={[["", "All Counselors"], ...counselors.map((name) => [name, name] as const)]}
          className="max-[26rem]:col-span-2"
        />
        <SelectField
          field={field("status")}
          label="Status"
          options={[["", "All Status"], ...statuses]}
          className="max-[26rem]:col-span-2"
        />
        <TextField
          field={field("q")}
          label="Search"
          type="search"
          placeholder="Name, email, phone or ID"
          maxLength={100}
          className="col-span-2 xl:col-span-1"
        />
        <SelectField
          field={field("sort")}
          label="Order"
          options={SORTS}
          className="col-span-2 xl:col-span-1"
        />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <button
          type="submit"
          className="button button-primary max-sm:grow"
          aria-busy={busy || undefined}
        >
          Apply Filters
        </button>
        <ExportButton searchOf={() => (form.current ? searchOf(form.current) : listSearch)} />
        <Link
          to={withList(href("/admin/slots"), listSearch)}
          preventScrollReset
          className="button button-quiet max-sm:grow"
        >
          <Icon name="calendar" />
          Manage Slots
        </Link>
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
  );
}

/** What the form says, without its empty fields and the order that is the usual one. */
function searchOf(form: HTMLFormElement): string {
  const search = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text && !(name === "sort" && text === NEWEST)) search.set(name, text);
  }
  return search.toString();
}

const MAKING = "Making the workbook…";

function ExportButton({ searchOf: readSearch }: { searchOf: () => string }) {
  /** The share done, null before the first part; undefined while nothing is exported. */
  const [progress, setProgress] = useState<number | null | undefined>();
  const [failed, setFailed] = useState(false);
  const busy = progress !== undefined;
  const run = async () => {
    if (busy) return;
    const search = new URLSearchParams(readSearch());
    search.delete("page");
    setFailed(false);
    try {
      await exportFile(search.toString(), setProgress);
      showToast({
        title: "Export Successful",
        description: "The appointments data has been exported.",
        variant: "default",
      });
    } catch (error) {
      setFailed(true);
      showFailure("Export Failed", (error as Error).message);
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <>
      <button
        type="submit"
        formAction={href("/admin/export")}
        className="button button-quiet max-sm:grow"
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Icon name="download" />
        Export Excel
      </button>
      {/* Told once: the end is a notification, and each share would be read out. */}
      <span role="status" className="sr-only">
        {busy && MAKING}
      </span>
      <span aria-hidden="true" className="figures text-sm text-muted empty:hidden">
        {busy && (progress === null ? MAKING : `Downloading, ${Math.round(progress * 100)}%`)}
      </span>
      {/* Stays when the notification has gone. */}
      {failed && <span className="font-semibold text-stop">Export failed</span>}
    </>
  );
}
