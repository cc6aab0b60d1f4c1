/** Manage Availability & Block Slots: two tabs, each a form of its own. */
import { href } from "react-router";
import {
  type AffectedSession,
  resetAvailability,
  setAvailability,
  setBlocks,
} from "#app/availability/set-availability.server.ts";
import { setBlocksSchema, setSlotsSchema } from "#app/booking/list-fields.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { check } from "#app/model/check.ts";
import { formatDay, formatSession } from "#app/model/dates.ts";
import { invalid, type Outcome } from "#app/model/outcome.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import { actorOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Notice, Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import type { Route } from "./+types/slots";
import { Affected, SlotsForm, tabOf } from "./slots-form.tsx";
import { datesOf, readSlots } from "./slots-view.server.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  const { searchParams } = url;
  const view = readSlots(context.get(depsContext), {
    counselor: searchParams.get("counselor"),
    date: searchParams.get("date"),
  });
  return { view, tab: tabOf(searchParams), listSearch: listSearchOf(url) };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const tab = form.has("action") ? "block" : tabOf(form);
  const asked = { counselor: String(form.get("counselor")), date: String(form.get("date")) };
  const outcome = change(deps, actorOf(context), form);
  const view = readSlots(deps, asked);
  if (!outcome.ok) {
    const title = tab === "set" ? "Update Failed" : "Operation Failed";
    return refuse(outcome, title, { view, done: null, affected: [] });
  }
  const done = wordsOf(intentOf(form), asked.counselor, datesOf(form));
  const affected = outcome.value.map(affectedView);
  if (affected.length > 0) return { refusal: null, view, done, affected };
  const here = withList(href("/admin/slots"), listSearchOf(url), { tab, ...asked });
  return goOn(deps, here, done);
}

function affectedView({ id, name, date, timeSlot, status }: AffectedSession) {
  return { id, name, session: formatSession(date, timeSlot), status };
}

/** One press: what it does depends on the button, what it is about on the fields. */
function change(deps: Deps, actor: Actor, form: FormData): Outcome<AffectedSession[]> {
  if (datesOf(form).length === 0 && form.get("until")) {
    return invalid({ until: ["No date of this range is chosen"] });
  }
  const [intent = "", all] = intentOf(form).split("-");
  const times = (field: string) =>
    all || intent === "reset" ? [...MASTER_TIMES] : form.getAll(field);
  const day = { counselor: form.get("counselor"), date: form.get("date") };
  if (intent === "set" || intent === "reset") {
    const input = check(setSlotsSchema, { ...day, timeSlots: times("timeSlots") });
    if (!input.ok) return input;
    const wish = wishOf(input.value.counselor, form, input.value.timeSlots);
    const press = intent === "set" ? setAvailability : resetAvailability;
    return affectedBy(press(deps, actor, wish));
  }
  const input = check(setBlocksSchema, {
    ...day,
    timeSlotsToBlock: times("timeSlotsToBlock"),
    action: intent,
    reason: form.get("reason") ?? undefined,
  });
  if (!input.ok) return input;
  const { action, reason, timeSlotsToBlock } = input.value;
  const wish = wishOf(input.value.counselor, form, timeSlotsToBlock);
  return affectedBy(setBlocks(deps, actor, { ...wish, action, reason }));
}

function wishOf(counselor: string, form: FormData, timeSlots: readonly string[]) {
  return { counselorKey: findCounselorByName(counselor)!.key, dates: datesOf(form), timeSlots };
}

function affectedBy(outcome: Outcome<{ affected: AffectedSession[] }>): Outcome<AffectedSession[]> {
  return outcome.ok ? { ok: true, value: outcome.value.affected } : outcome;
}

/** `set`, `reset`, `block` or `unblock`; the last two and `set` also with `-all`. */
function intentOf(form: FormData): string {
  return String(form.get("intent") ?? form.get("action") ?? "set");
}

function wordsOf(intent: string, counselor: string, dates: readonly string[]) {
  const on = dates.length === 1 ? `on ${formatDay(dates[0]!)}` : `on ${dates.length} days`;
  if (intent.startsWith("unblock")) {
    return { title: "Slots Unblocked", description: `Times of ${counselor} are free again ${on}.` };
  }
  if (intent.startsWith("block")) {
    return { title: "Slots Blocked", description: `Times of ${counselor} are blocked ${on}.` };
  }
  const what = intent === "reset" ? "The default times of" : "The times of";
  const how = intent === "reset" ? "hold again" : "are set";
  return { title: "Slots Updated", description: `${what} ${counselor} ${how} ${on}.` };
}

export default function Slots({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch, tab } = loaderData;
  const view = actionData?.view ?? loaderData.view;
  return (
    <Overlay
      title="Manage Availability & Block Slots"
      closeTo={listHref(href("/admin"), listSearch)}
      kind="wide"
    >
      {actionData?.refusal && (
        <Problem title={actionData.refusal.title} message={actionData.refusal.message} />
      )}
      {actionData?.done && <Notice {...actionData.done} variant="default" />}
      {actionData && actionData.affected.length > 0 && (
        <Affected affected={actionData.affected} listSearch={listSearch} />
      )}
      <SlotsForm
        tab={tab}
        view={view}
        errors={actionData?.refusal?.errors}
        refused={Boolean(actionData?.refusal)}
        listSearch={listSearch}
      />
    </Overlay>
  );
}
