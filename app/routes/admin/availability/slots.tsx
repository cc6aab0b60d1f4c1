/** Manage Availability & Block Slots: two tabs, each a form of its own. */
import { href } from "react-router";
import { refuseOthers } from "#app/auth/require-admin.server.ts";
import type { Clash } from "#app/availability/clashes.server.ts";
import { daySchema, setBlocksSchema, setSlotsSchema } from "#app/availability/fields.ts";
import {
  resetAvailability,
  setAvailability,
  setBlocks,
} from "#app/availability/set-availability.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { adminDay } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { invalid, type Outcome } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { Affected } from "#app/routes/admin/parts/clashes.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Notice, Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/slots";
import { SlotsForm, type SlotsTab, tabOf } from "./slots-form.tsx";
import { datesOf, readSlots, type SlotsView } from "./slots-view.server.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  const { searchParams } = url;
  const view = readSlots(context, {
    counselor: searchParams.get("counselor"),
    date: searchParams.get("date"),
    times: searchParams.getAll("time"),
  });
  return { view, tab: tabOf(searchParams), listSearch: listSearchOf(url) };
}

export async function action(asked: Route.ActionArgs) {
  const { request, url, context } = asked;
  const deps = context.get(depsContext);
  const form = await request.formData();
  const tab = pressedTab(form);
  const day = { counselor: String(form.get("counselor")), date: String(form.get("date")) };
  const [kind = "", all] = String(form.get("intent") ?? form.get("action") ?? "set").split("-");
  if (all) tickAll(form);
  const change = changeOf(kind) ?? block;
  const done = await change(asked, form, kind);
  const view = readSlots(context, day);
  if (!done.ok) {
    return done.refuse(failed(form), { view, done: null, affected: 0 });
  }
  const words = wordsOf(kind, view, datesOf(form));
  const affected = done.value.affected.length;
  if (affected > 0) return { refusal: null, reply: null, view, done: words, affected };
  const listSearch = listSearchOf(url);
  // A time pressed in the calendar is dealt with.
  const to = url.searchParams.has("time")
    ? boardHref(listSearch)
    : withList(href("/admin/slots"), listSearch, { tab, ...day });
  return goOn(deps, to, words);
}

function pressedTab(form: FormData): SlotsTab {
  return form.has("action") ? "block" : tabOf(form);
}

function failed(form: FormData): string {
  return pressedTab(form) === "set" ? "Update Failed" : "Operation Failed";
}

/** The button is about the whole day. */
function tickAll(form: FormData): void {
  for (const name of ["timeSlots", "timeSlotsToBlock"]) {
    form.delete(name);
    for (const time of MASTER_TIMES) form.append(name, time);
  }
}

type Changed = Outcome<{ affected: Clash[] }>;
type Asked = Route.ActionArgs;
type Change = (
  asked: Asked,
  form: FormData,
  kind: string,
) => ReturnType<typeof carryOut<typeof daySchema, { affected: Clash[] }>>;

const changeOf = lookUp<string, Change>({ set, reset, block, unblock: block });

/** A single ticked time is a list too. */
const LISTS = { lists: true };

function set(asked: Asked, form: FormData) {
  return carryOut(
    form,
    setSlotsSchema,
    (input): Changed =>
      onDates(asked, form, input.counselor, (deps, actor, days) =>
        setAvailability(deps, actor, { ...days, timeSlots: input.timeSlots }),
      ),
    LISTS,
  );
}

function reset(asked: Asked, form: FormData) {
  return carryOut(
    form,
    daySchema,
    (input): Changed =>
      onDates(asked, form, input.counselor, (deps, actor, days) =>
        resetAvailability(deps, actor, days),
      ),
    LISTS,
  );
}

function block(asked: Asked, form: FormData, kind: string) {
  form.set("action", kind);
  return carryOut(
    form,
    setBlocksSchema,
    ({ counselor, timeSlotsToBlock: timeSlots, action, reason }): Changed =>
      onDates(asked, form, counselor, (deps, actor, days) =>
        setBlocks(deps, actor, { ...days, timeSlots, action, reason }),
      ),
    LISTS,
  );
}

function onDates(
  asked: Asked,
  form: FormData,
  counselor: string,
  act: (deps: Deps, actor: Actor, days: { counselorKey: string; dates: string[] }) => Changed,
): Changed {
  const deps = asked.context.get(depsContext);
  const dates = datesOf(form);
  if (dates.length === 0) return invalid({ until: ["No date of this range is chosen"] });
  const chosen = counselorNamed(readCatalogue(deps.db), counselor);
  if (!chosen.ok) return chosen;
  const { key: counselorKey } = chosen.value;
  return (
    refuseOthers(asked, counselorKey) ?? act(deps, actorOf(asked.context), { counselorKey, dates })
  );
}

function wordsOf(kind: string, { counselor, hasHours }: SlotsView, dates: readonly string[]) {
  const on = dates.length === 1 ? `on ${adminDay(dates[0]!)}` : `on ${dates.length} days`;
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

export default function Slots({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch, tab } = loaderData;
  const answer = useAnswer(actionData, failed);
  const view = answer?.view ?? loaderData.view;
  return (
    <Overlay title="Manage Availability & Block Slots" closeTo={boardHref(listSearch)} kind="wide">
      <Problem refusal={answer?.refusal} />
      {answer?.done && <Notice {...answer.done} variant="default" />}
      <Affected
        affected={view.affected}
        listSearch={listSearch}
        answer={answer?.affected ? answer : null}
      />
      <SlotsForm
        tab={tab}
        view={view}
        refused={Boolean(answer?.refusal)}
        reply={answer?.reply}
        listSearch={listSearch}
      />
    </Overlay>
  );
}
