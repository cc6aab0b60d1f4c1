/** What needs attention, most urgent first, and internal failures. */
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { ClashList } from "#app/routes/admin/parts/clashes.tsx";
import { CopyField } from "#app/routes/admin/parts/facts.tsx";
import { CallLink, HelpCalls } from "#app/routes/admin/parts/help-call.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import { AttendanceButtons } from "#app/routes/admin/parts/session-parts.tsx";
import type { AttentionView, Group } from "./attention-view.server.ts";
import type { FailuresView } from "./failures-view.server.ts";

export function Attention({ waiting, money, clashes, others }: AttentionView) {
  const isOpen = ({ total }: { total: number }) => total > 0;
  const isUrgent = [...money, clashes].some(isOpen);
  if (!isUrgent && ![waiting, ...others].some(isOpen)) return null;
  return (
    <section aria-labelledby="attention" className="card mb-4 px-4 py-3">
      <h2 id="attention" className="display flex items-center gap-2 text-lg">
        <Icon name="alert" />
        Needs you
      </h2>
      <div className="mt-1">
        <Groups groups={[waiting]} />
      </div>
      {isUrgent && (
        <div className={`${COLUMNS} mt-2 rounded-lg border-2 border-stop bg-stop-soft px-3 py-2`}>
          <Groups groups={money} />
          {clashes.total > 0 && (
            <div className="col-span-full min-w-0 text-sm">
              <h3 className="text-base font-semibold">
                {`${clashes.total} ${clashes.total === 1 ? "session" : "sessions"} inside blocked time`}
              </h3>
              <ClashList clashes={clashes} />
            </div>
          )}
        </div>
      )}
      <div className={`${COLUMNS} mt-1`}>
        <Groups groups={others} />
      </div>
    </section>
  );
}

const COLUMNS = "grid gap-x-8 gap-y-2 grid-cols-[repeat(auto-fit,minmax(min(22rem,100%),1fr))]";

function Groups({ groups }: { groups: readonly Group[] }) {
  const open = groups.filter(({ total }) => total > 0);
  return open.map(({ key, title, note, items, more, moreWords, allTo }) => (
    <div key={key} className="min-w-0">
      <h3 className="font-semibold">{title}</h3>
      {note && <p className="text-sm">{note}</p>}
      <Items items={items} />
      {allTo ? (
        <Link to={allTo} className="link inline-block py-1 text-sm">
          See them all in the list
        </Link>
      ) : (
        more.length > 0 && (
          <details className="text-sm">
            <summary className="min-h-8 cursor-pointer">{moreWords}</summary>
            <Items items={more} />
          </details>
        )
      )}
    </div>
  ));
}

function Items({ items }: Pick<Group, "items">) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.key} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-0.5 text-sm">
          <Link
            to={item.to}
            preventScrollReset
            className="link inline-block min-w-0 break-words py-1"
          >
            {item.text}
          </Link>
          <AttendanceButtons of={item.attendance ?? null} />
          {item.call && <CallLink {...item.call} />}
          <HelpCalls help={item.help ?? null} />
        </li>
      ))}
    </ul>
  );
}

export function Failures({ title, groups, more, until }: FailuresView) {
  return (
    <details className="mb-4 rounded-lg border border-edge bg-waiting-soft px-4 py-3">
      <summary className="min-h-8 cursor-pointer font-semibold">{title}</summary>
      <p className="mt-1 text-sm">
        The program met an error that it did not expect. Please send this text to whoever looks
        after it. It names no customer. This notice disappears a week after the last error.
      </p>
      {groups.map(({ key, label, words }) => (
        <div key={key} className="mt-3 text-sm">
          <CopyField label={label} text={words} />
        </div>
      ))}
      {more > 0 && <p className="mt-3 text-sm">{`and ${more} more, in the log`}</p>}
      <ButtonForm sends={{ until }} action={href("/admin/failures")} className="mt-3">
        <button type="submit" className="button button-quiet">
          Dismiss
        </button>
      </ButtonForm>
    </details>
  );
}
