/** What is offered: captains, packages, default times, links. */

import { data, href } from "react-router";
import type { Cause } from "#app/availability/clashes.server.ts";
import { changeCounselor } from "#app/catalogue/change-counselor.server.ts";
import { changeOfferSettings, changePackage } from "#app/catalogue/change-offer.server.ts";
import {
  changeCounselorSchema,
  defaultTimesSchema,
  linksSchema,
  packageSchema,
} from "#app/catalogue/fields.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { formatRupees } from "#app/model/money.ts";
import type { Failure } from "#app/model/outcome.ts";
import { priceOf } from "#app/model/price.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { type Merged, mergedForm } from "#app/routes/admin/parts/form-data.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { JumpLinks, PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { openClashes } from "#app/routes/admin/parts/views.server.ts";
import type { Route } from "./+types/catalogue";
import {
  CaptainsPart,
  LinksPart,
  PackageForm,
  type PackageValues,
  TimesPart,
} from "./catalogue-parts.tsx";
import { catalogueView } from "./catalogue-view.server.ts";

const FAILED = "Catalogue Not Saved";
const HERE = href("/admin/catalogue");
const PARTS = [
  ["captains-title", "Captains"],
  ["packages", "Packages"],
  ["times-title", "Default times"],
  ["links-title", "Links"],
] as const;

export function loader({ context }: Route.LoaderArgs) {
  return catalogueView(context.get(depsContext));
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const act = pressOf(String(form.get("intent"))) ?? saveLinks;
  return act(context.get(depsContext), actorOf(context), form);
}

const pressOf = lookUp({
  order: saveOrder,
  package: savePackage,
  times: saveTimes,
  links: saveLinks,
});

/** What a refused form is answered with: the part it is in, and what is saved by now. */
function refused(
  deps: Deps,
  part: string,
  { code }: Failure,
  merged: Merged<PackageValues> | null = null,
) {
  return { part, merged, stale: code === "stale", view: catalogueView(deps) };
}

async function saveOrder(deps: Deps, actor: Actor, form: FormData) {
  const key = String(form.get("key"));
  const done = await carryOut(form, changeCounselorSchema, ({ position }) =>
    changeCounselor(deps, actor, key, { position }),
  );
  if (!done.ok) return done.refuse(FAILED, refused(deps, "order", done));
  const { name } = done.value.counselor;
  return goOn(deps, HERE, { title: "Order Saved", description: `${name} has another place.` });
}

async function savePackage(deps: Deps, actor: Actor, form: FormData) {
  const minutes = Number(form.get("minutes"));
  const done = await carryOut(form, packageSchema, (input) =>
    changePackage(deps, actor, minutes, input),
  );
  if (!done.ok) {
    const saved = catalogueView(deps).packages.find((one) => one.minutes === minutes);
    if (!saved) throw data(null, { status: 404 });
    const merged = mergedForm(form, saved.values, done.code === "stale");
    return done.refuse(FAILED, refused(deps, `package-${minutes}`, done, merged));
  }
  const total = formatRupees(priceOf(done.value.price).totalPaise);
  return goOn(deps, HERE, {
    title: "Package Saved",
    description: `${minutes} minutes cost ${total} with GST. Unpaid bookings keep their price.`,
  });
}

async function saveTimes(deps: Deps, actor: Actor, form: FormData) {
  const done = await carryOut(
    form,
    defaultTimesSchema,
    ({ timeSlots, version }) =>
      changeOfferSettings(deps, actor, { defaultTimes: timeSlots }, version),
    { lists: true },
  );
  if (!done.ok) return done.refuse(FAILED, refused(deps, "times", done));
  const outside = openClashes(deps).filter(({ causes }) => causes.some(isOutsideHours)).length;
  const sessions = outside === 1 ? "One session begins" : `${outside} sessions begin`;
  return goOn(deps, HERE, {
    title: "Default Times Saved",
    description:
      outside === 0
        ? "They hold wherever nothing else is set."
        : `${sessions} outside the hours of the day now: the dashboard lists them.`,
  });
}

function isOutsideHours({ kind }: Cause): boolean {
  return kind === "hours";
}

async function saveLinks(deps: Deps, actor: Actor, form: FormData) {
  for (const [field, name] of [
    ["linkLabel", "label"],
    ["linkUrl", "url"],
  ] as const) {
    for (const [i, value] of form.getAll(field).entries()) form.set(`links[${i}].${name}`, value);
  }
  const done = await carryOut(form, linksSchema, ({ links, version }) =>
    changeOfferSettings(deps, actor, { links }, version),
  );
  if (!done.ok) return done.refuse(FAILED, refused(deps, "links", done));
  return goOn(deps, HERE, {
    title: "Links Saved",
    description: "The page shows them from now on.",
  });
}

export default function CataloguePage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const view = answer?.view ?? loaderData;
  // Over what another admin saved meanwhile nothing that was typed is put.
  const replyTo = (part: string) => (answer?.part === part && !answer.stale ? answer.reply : null);
  return (
    <>
      <PageHead title="Catalogue">
        What visitors see and can book. Every change is on the page at once and in the activity log.
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <JumpLinks to={PARTS} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <CaptainsPart captains={view.captains} />
          <p id="packages" className="scroll-mt-4 px-1 text-sm text-muted">
            Another price holds for new bookings. Unpaid bookings keep theirs, a form opened before
            shows the new total first, and invoices never change.
          </p>
          {view.packages.map(({ minutes, values }) => {
            const part = `package-${minutes}`;
            const merged = answer?.part === part ? answer.merged : null;
            const { version } = merged?.values ?? values;
            return (
              <PackageForm
                key={`${part} ${version}`}
                minutes={minutes}
                values={merged?.values ?? values}
                shown={merged?.shown ?? values}
                saved={merged?.saved ?? null}
                reply={replyTo(part)}
              />
            );
          })}
        </div>
        <div className="grid min-w-0 gap-4">
          <TimesPart key={`times ${view.version}`} view={view} reply={replyTo("times")} />
          <LinksPart key={`links ${view.version}`} view={view} reply={replyTo("links")} />
        </div>
      </div>
    </>
  );
}
