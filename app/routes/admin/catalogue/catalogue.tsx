/** The catalogue: captains, packages, default times, links. */
import { href } from "react-router";
import { setDefaultTimes } from "#app/availability/set-availability.server.ts";
import {
  changeCounselor,
  changeOfferSettings,
  changePackage,
} from "#app/catalogue/change-catalogue.server.ts";
import {
  changeCounselorSchema,
  defaultTimesSchema,
  linksFormSchema,
  packageSchema,
} from "#app/catalogue/fields.ts";
import { found } from "#app/http/found.ts";
import { formatRupees, priceOf } from "#app/model/money.ts";
import { openClashes } from "#app/routes/admin/parts/clashes-view.server.ts";
import { rowsAs } from "#app/routes/admin/parts/form-data.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { concurrentEdit, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { JumpLinks, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/catalogue";
import { CaptainsPart, LinksPart, PackageForm, TimesPart } from "./catalogue-parts.tsx";
import { catalogueView } from "./catalogue-view.server.ts";

const here = (title: string, description: string) => {
  return { to: href("/admin/catalogue"), title, description };
};

const PARTS = [
  ["captains-title", "Captains"],
  ["packages", "Packages"],
  ["times-title", "Default times"],
  ["links-title", "Links"],
] as const;

/** What another admin saved meanwhile replaces what was typed. */
const SAVING = { failed: "Catalogue Not Saved", savedWins: true };

const catalogue = screen({
  view: ({ deps }: Shown<Route.LoaderArgs, unknown>) => catalogueView(deps),
});

const { loader, action } = catalogue.page({
  links: catalogue.form({
    fields: linksFormSchema,
    rename: rowsAs("links", { linkLabel: "label", linkUrl: "url" }),
    run: ({ links, version }, { deps, actor }) =>
      changeOfferSettings(deps, actor, { links }, version),
    ...SAVING,
    done: () => here("Links Saved", "The page shows them from now on."),
  }),
  times: catalogue.form({
    fields: defaultTimesSchema,
    lists: true,
    run: ({ timeSlots, version }, { deps, actor }) =>
      setDefaultTimes(deps, actor, timeSlots, version),
    ...SAVING,
    done: (_, { deps }) => {
      const isOutside = ({ kind }: { kind: string }) => kind === "hours";
      const outside = openClashes(deps).filter(({ causes }) => causes.some(isOutside)).length;
      const sessions = outside === 1 ? "One session begins" : `${outside} sessions begin`;
      return here(
        "Default Times Saved",
        outside === 0
          ? "They hold wherever nothing else is set."
          : `${sessions} outside the hours of the day now: the dashboard lists them.`,
      );
    },
  }),
  order: catalogue.form({
    fields: changeCounselorSchema,
    run: ({ position }, { deps, actor, typed }) =>
      changeCounselor(deps, actor, typed.key ?? "", { position }),
    ...SAVING,
    done: ({ counselor }) => here("Order Saved", `${counselor.name} has another place.`),
  }),
  package: catalogue.form({
    fields: packageSchema,
    run: (input, { deps, actor, typed }) =>
      changePackage(deps, actor, Number(typed.minutes), input),
    ...SAVING,
    saved: ({ deps, typed }) => {
      const minutes = Number(typed.minutes);
      return found(catalogueView(deps).packages.find((one) => one.minutes === minutes)).values;
    },
    done: ({ minutes, price }) => {
      const total = formatRupees(priceOf(price).totalPaise);
      const words = `${minutes} minutes cost ${total} with GST. Unpaid bookings keep their price.`;
      return here("Package Saved", words);
    },
  }),
});

export { action, loader };

export default function Catalogue(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { view, typed, merged } = page;
  /** Another version in the answer than was sent: what is saved takes the place of what was typed. */
  const replaced = (intent: string) =>
    page.answer?.intent === intent && typed.version !== String(view.version) ? view.version : "";
  return (
    <>
      <PageHead title="Catalogue">
        What visitors see and can book. Every change is on the page at once and in the activity log.
      </PageHead>
      <Problem refusal={page.refusal} />
      <JumpLinks to={PARTS} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <CaptainsPart captains={view.captains} />
          <p id="packages" className="scroll-mt-4 px-1 text-sm text-muted">
            Another price holds for new bookings. Unpaid bookings keep theirs, a form opened before
            shows the new total first, and invoices never change.
          </p>
          {view.packages.map(({ minutes, questions, values }) => {
            const isRefused = merged !== null && Number(typed.minutes) === minutes;
            const edit = concurrentEdit(isRefused ? merged : null, values);
            return (
              <PackageForm
                key={`${minutes} ${edit.values.version}`}
                minutes={minutes}
                questions={questions}
                edit={edit}
                reply={isRefused ? page.replyTo() : null}
              />
            );
          })}
        </div>
        <div className="grid min-w-0 gap-4">
          {/* Filled again when its own content has changed: saving one keeps the other as typed. */}
          <TimesPart
            key={`times ${JSON.stringify(view.times)} ${replaced("times")}`}
            view={view}
            reply={page.replyTo("times")}
          />
          <LinksPart
            key={`links ${JSON.stringify(view.links)} ${replaced("links")}`}
            view={view}
            reply={page.replyTo("links")}
          />
        </div>
      </div>
    </>
  );
}
