/** Manage Availability & Block Slots: two tabs, each with its own form. */
import { href } from "react-router";
import { refuseOthers } from "#app/auth/require-admin.server.ts";
import type { Clash } from "#app/availability/clashes.server.ts";
import { daySchema, setBlocksSchema, setSlotsSchema } from "#app/availability/fields.ts";
import { setAvailability, setBlocks } from "#app/availability/set-availability.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { adminDay } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { invalid, type Outcome } from "#app/model/outcome.ts";
import { Affected } from "#app/routes/admin/parts/clashes.tsx";
import { clashesOf } from "#app/routes/admin/parts/clashes-view.server.ts";
import { type Sent, type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { boardHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { Notice, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/slots";
import { SlotsForm, type SlotsTab, tabOf } from "./slots-form.tsx";
import { datesOf, readSlots } from "./slots-view.server.ts";

type SentSlots = Sent<Route.LoaderArgs, unknown>;
type Changed = Outcome<{ affected: Clash[] }>;

const slots = screen({
  view: (shown: Shown<Route.LoaderArgs, unknown>) => ({
    tab: tabOf(shown.form ?? shown.url.searchParams),
    slots: readSlots(shown),
  }),
});

const FORM = { lists: true, rename: withButton };

const OFFER = {
  ...FORM,
  /** Without times, the usual ones hold again. */
  run: (offer: { counselor: string; timeSlots?: string[] }, sent: SentSlots) =>
    onDates(sent, offer.counselor, (days) => {
      const [key, date, ...times] = String(sent.form.get("shown") ?? "").split(" ");
      const isShown = key === days.counselorKey && date === days.dates[0];
      const { timeSlots = null } = offer;
      const set = { ...days, timeSlots, shown: isShown ? times : undefined };
      return setAvailability(sent.deps, sent.actor, set);
    }),
  failed: "Update Failed",
  done: goOnFrom("set"),
};

const set = slots.form({ ...OFFER, fields: setSlotsSchema });
const reset = slots.form({ ...OFFER, fields: daySchema });

const block = slots.form({
  ...FORM,
  fields: setBlocksSchema,
  run: ({ counselor, timeSlotsToBlock: timeSlots, action, reason }, sent) =>
    onDates(sent, counselor, (days) =>
      setBlocks(sent.deps, sent.actor, { ...days, timeSlots, action, reason }),
    ),
  failed: "Operation Failed",
  done: goOnFrom("block"),
});

const { loader, action } = slots.page({
  set,
  "set-all": set,
  reset,
  action: block,
  "block-all": block,
  "block-from": block,
  "unblock-all": block,
});

export { action, loader };

/**
 * Puts the clicked button's operation into `action`. A button for the whole day, or for its times
 * from `from` on, selects these times.
 */
function withButton(form: FormData): FormData {
  const [kind = "", all] = String(form.get("intent") ?? form.get("action") ?? "set").split("-");
  form.set("action", kind);
  if (!all) return form;
  for (const name of ["timeSlots", "timeSlotsToBlock"]) {
    form.delete(name);
    const first = all === "from" ? String(form.get("from") ?? "") : "";
    for (const time of MASTER_TIMES) if (time >= first) form.append(name, time);
  }
  return form;
}

function onDates(
  sent: SentSlots,
  counselor: string,
  change: (days: { counselorKey: string; dates: string[] }) => Changed,
): Changed {
  const dates = datesOf(sent.form);
  if (dates.length === 0) return invalid({ until: ["No date of this range is chosen"] });
  const chosen = counselorNamed(readCatalogue(sent.deps.db), counselor);
  if (!chosen.ok) return chosen;
  const { key: counselorKey } = chosen.value;
  return refuseOthers(sent, counselorKey) ?? change({ counselorKey, dates });
}

/** Stays on the page to show sessions that clash with the change. */
function goOnFrom(tab: SlotsTab) {
  return ({ affected }: { affected: Clash[] }, sent: SentSlots) => {
    const notice = noticeOf(sent);
    const { deps, context, listSearch, url, typed } = sent;
    const [first] = affected;
    if (first) return { notice, more: clashesOf(deps, context, first.counselorKey, affected) };
    const { counselor = "", date = "" } = typed;
    // The dialog was opened for a time of the calendar, which is done.
    const to = url.searchParams.has("time")
      ? boardHref(listSearch)
      : withList(href("/admin/slots"), listSearch, { tab, counselor, date });
    return { to, ...notice };
  };
}

function noticeOf(sent: SentSlots) {
  const { counselor, hasHours } = readSlots(sent);
  const dates = datesOf(sent.form);
  const on = dates.length === 1 ? `on ${adminDay(dates[0]!)}` : `on ${dates.length} days`;
  const kind = sent.form.get("action");
  if (kind === "unblock") {
    return { title: "Slots Unblocked", description: `Times of ${counselor} are free again ${on}.` };
  }
  if (kind === "block") {
    return { title: "Slots Blocked", description: `Times of ${counselor} are blocked ${on}.` };
  }
  const usual = hasHours ? "The weekly hours of" : "The default times of";
  const what = kind === "reset" ? usual : "The times of";
  const how = kind === "reset" ? "hold again" : "are set";
  return { title: "Slots Updated", description: `${what} ${counselor} ${how} ${on}.` };
}

export default function Slots(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { refusal, notice } = page;
  const { tab, slots } = page.view;
  return (
    <Overlay title="Manage Availability & Block Slots" kind="wide">
      <Problem refusal={refusal} />
      {notice && <Notice {...notice} variant="default" />}
      <Affected clashes={page.more ?? slots.clashes} answer={notice && page.answer} />
      <SlotsForm tab={tab} view={slots} refused={refusal !== null} reply={page.replyTo()} />
    </Overlay>
  );
}
