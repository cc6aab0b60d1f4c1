/** Manage Availability & Block Slots: two tabs, each a form of its own. */
import { href } from "react-router";
import { adminTimeSlotsSchema, daySchema } from "#app/api-contract/admin-calls.ts";
import { reasonSchema } from "#app/api-contract/admin-fields.ts";
import { check } from "#app/api-contract/api.server.ts";
import {
  type AffectedSession,
  resetAvailability,
  setAvailability,
  setBlocks,
} from "#app/availability/set-availability.server.ts";
import type { Actor } from "#app/booking/actor.ts";
import { findCounselorByName, MASTER_TIMES } from "#app/catalogue.ts";
import { listHref, listSearchOf, withList } from "#app/components/admin/list-search.ts";
import { Notice, Problem } from "#app/components/admin/notice.tsx";
import { Overlay } from "#app/components/admin/overlay.tsx";
import { Affected, SlotsForm, type SlotsTab } from "#app/components/admin/slots-form.tsx";
import { formatDay, formatSession } from "#app/lib/dates.ts";
import { type Deps, depsContext } from "#app/lib/deps.server.ts";
import { invalid, type Outcome } from "#app/lib/outcome.ts";
import type { Route } from "./+types/slots";
import { actorOf, goOn, refuse } from "./forms.server.ts";
import { datesOf, readSlots } from "./slots-view.server.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  const { searchParams } = url;
  const view = readSlots(context.get(depsContext), {
    counselor: searchParams.get("counselor"),
    date: searchParams.get("date"),
  });
  return { view, tab: tabOf(searchParams.get("tab")), listSearch: listSearchOf(url) };
}

function tabOf(text: unknown): SlotsTab {
  return text === "block" ? "block" : "set";
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const tab = form.has("action") ? "block" : tabOf(form.get("tab"));
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
  const day = check(daySchema, { counselor: form.get("counselor"), date: form.get("date") });
  if (!day.ok) return day;
  const [intent = "", all] = intentOf(form).split("-");
  const field = intent === "set" ? "timeSlots" : "timeSlotsToBlock";
  const typed = all ? [...MASTER_TIMES] : form.getAll(field);
  const slots = check(adminTimeSlotsSchema, intent === "reset" ? MASTER_TIMES : typed);
  if (!slots.ok) return invalid({ [field]: [slots.message] });
  const reason = check(reasonSchema, form.get("reason") ?? undefined);
  if (!reason.ok) return invalid({ reason: [reason.message] });
  const dates = datesOf(form);
  if (dates.length === 0) return invalid({ until: ["No date of the range is chosen."] });
  const counselorKey = findCounselorByName(day.value.counselor)!.key;
  const wish = { counselorKey, dates, timeSlots: slots.value };
  const outcome =
    intent === "reset"
      ? resetAvailability(deps, actor, wish)
      : intent === "set"
        ? setAvailability(deps, actor, wish)
        : setBlocks(deps, actor, {
            ...wish,
            action: intent === "unblock" ? "unblock" : "block",
            reason: reason.value,
          });
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
        listSearch={listSearch}
      />
    </Overlay>
  );
}
