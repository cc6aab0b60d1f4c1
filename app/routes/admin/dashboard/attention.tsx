/** What needs a person: money and messages that will not settle by themselves, and a shut calendar. */
import { Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { ClashList } from "#app/routes/admin/parts/clash-list.tsx";
import type { ClashView } from "#app/routes/admin/parts/clash-views.server.ts";

export interface AttentionView {
  /** Refunds, messages, payments and calendars in that order; `total` may be more than is listed. */
  groups: readonly {
    title: string;
    /** What it means and what can be done, where the items alone do not tell. */
    note?: string;
    total: number;
    items: readonly { key: string; text: string; to: string }[];
  }[];
  /** Sessions inside time that was taken away. */
  clashes: { total: number; shown: readonly ClashView[] };
}

export function Attention({ groups, clashes, listSearch }: AttentionView & { listSearch: string }) {
  const open = groups.filter((group) => group.total > 0);
  if (open.length === 0 && clashes.total === 0) return null;
  return (
    <section
      aria-labelledby="attention"
      className="mb-4 rounded-lg border-2 border-stop bg-stop-soft px-4 py-3"
    >
      <h2 id="attention" className="display flex items-center gap-2 text-lg text-stop">
        <Icon name="alert" />
        Needs you
      </h2>
      <div className="mt-1 grid gap-x-8 gap-y-2 md:grid-cols-2 xl:grid-cols-3">
        {open.map((group) => (
          <div key={group.title} className="min-w-0">
            <h3 className="font-semibold">{group.title}</h3>
            {group.note && <p className="text-sm">{group.note}</p>}
            <ul>
              {group.items.map((item) => (
                <li key={item.key} className="text-sm">
                  <Link
                    to={item.to}
                    preventScrollReset
                    className="link inline-block break-words py-1"
                  >
                    {item.text}
                  </Link>
                </li>
              ))}
            </ul>
            {group.total > group.items.length && (
              <p className="text-sm">and {group.total - group.items.length} more</p>
            )}
          </div>
        ))}
        {clashes.total > 0 && (
          <div className="min-w-0 text-sm md:col-span-2">
            <h3 className="text-base font-semibold">
              {`${clashes.total} ${clashes.total === 1 ? "session" : "sessions"} inside blocked time`}
            </h3>
            <ClashList clashes={clashes.shown} listSearch={listSearch} />
            {clashes.total > clashes.shown.length && (
              <p className="mt-2">
                {`and ${clashes.total - clashes.shown.length} more, shown as these are settled`}
              </p>
            )}
          </div>
        )}
      </div>
    </section>
  );
}
