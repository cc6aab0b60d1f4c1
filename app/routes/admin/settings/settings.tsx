/** What the owner may set: brand, business, rules, the page's questions; and what stays outside. */
import { href } from "react-router";
import { rowsAs } from "#app/routes/admin/parts/form-data.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { concurrentEdit, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { JumpLinks, PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { changeTypedSettings } from "#app/settings/change-settings.server.ts";
import { settingsSchema } from "#app/settings/fields.ts";
import type { Route } from "./+types/settings";
import {
  BrandPart,
  BusinessPart,
  LogoPart,
  QuestionsPart,
  RulesPart,
  ServicesPart,
} from "./settings-parts.tsx";
import { settingsView } from "./settings-view.server.ts";

const PARTS = [
  ["business", "Business"],
  ["brand", "Brand"],
  ["rules", "Rules"],
  ["questions", "Questions"],
  ["outside", "Services and keys"],
] as const;

const settings = screen({
  view: ({ deps }: Shown<Route.LoaderArgs, unknown>) => settingsView(deps),
});

/** One of the page's forms, whose fields are some of the settings. */
function part(title: string, description: string) {
  return settings.form({
    fields: settingsSchema,
    rename: rowsAs("faq", { faqQuestion: "question", faqAnswer: "answer" }),
    run: (input, { deps, actor }) => changeTypedSettings(deps, actor, input),
    failed: "Settings Not Saved",
    saved: ({ deps }) => settingsView(deps).values,
    done: () => ({ to: href("/admin/settings"), title, description }),
  });
}

const page = settings.page({
  business: part(
    "Business Saved",
    "Pages, mails and new documents show it. Documents issued before stay as they are.",
  ),
  brand: part("Brand Saved", "Pages and mails show it from now on."),
  rules: part("Rules Saved", "They hold for new bookings. Those made before keep theirs."),
  questions: part("Questions Saved", "The page shows them from now on."),
});

export const loader = page.loader;
export const action = page.action;

export default function SettingsPage(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { view, merged, answer } = page;
  const given = (intent: string) => ({
    edit: concurrentEdit(merged && answer?.intent === intent ? merged : null, view.values),
    reply: page.replyTo(intent),
  });
  const { version } = view.values;
  return (
    <>
      <PageHead title="Settings">
        What is saved here counts from the next request on, in place of the variable that the server
        was started with. Every change is in the activity log.
      </PageHead>
      <Problem refusal={page.refusal} />
      <JumpLinks to={PARTS} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <BusinessPart key={`business ${version}`} view={view} {...given("business")} />
        </div>
        <div className="grid min-w-0 gap-4">
          <BrandPart key={`brand ${version}`} {...given("brand")} />
          <LogoPart logo={view.logo} version={version} />
          <RulesPart key={`rules ${version}`} {...given("rules")} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          <QuestionsPart key={`questions ${version}`} view={view} {...given("questions")} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          <ServicesPart services={view.services} />
        </div>
      </div>
    </>
  );
}
