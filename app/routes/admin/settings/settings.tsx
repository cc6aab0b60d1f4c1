/** The settings in one form: brand, business, rules, questions; and services set by variables. */
import { href, Link } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { settingsFormSchema } from "#app/model/settings-fields.ts";
import { withLineFeeds } from "#app/model/text-blocks.ts";
import { shownOf } from "#app/routes/admin/parts/form-data.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  concurrentEdit,
  PageForm,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { JumpLinks, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { changeTypedSettings } from "#app/settings/change-settings.server.ts";
import type { Route } from "./+types/settings";
import {
  BRAND,
  BUSINESS,
  FieldsPart,
  QuestionsPart,
  ROWS,
  RULES,
  ServicesPart,
} from "./settings-parts.tsx";
import { markOf, settingsView } from "./settings-view.server.ts";

const PARTS = [
  ["business", "Business"],
  ["brand", "Brand"],
  ["rules", "Rules"],
  ["questions", "Questions"],
  ["outside", "Services and keys"],
] as const;

const { loader, action } = screen({
  view: ({ deps }: Shown<Route.LoaderArgs, unknown>) => settingsView(deps),
}).one({
  fields: settingsFormSchema,
  rename: (form) => withQuestions(withoutUntouched(form)),
  run: (input, { deps, actor }) => changeTypedSettings(deps, actor, input),
  failed: "Settings Not Saved",
  saved: ({ deps }) => settingsView(deps).values,
  done: () => ({
    to: href("/admin/settings"),
    title: "Settings Saved",
    description: "They count from now on. What was booked or issued before stays as it is.",
  }),
});

export { action, loader };

/** Drops untouched fields: the environment may have set values that could not be typed. */
function withoutUntouched(form: FormData): FormData {
  for (const [name, shown] of Object.entries(shownOf<Record<string, string>>(form))) {
    const sent = form.get(name);
    if (name === "version" || typeof sent !== "string") continue;
    if (oneLine(sent) === oneLine(String(shown))) form.delete(name);
  }
  return form;
}

/** As an input of one line changes it. */
const oneLine = (text: string) => text.replaceAll(/[\r\n]/g, "");

/** Renames the rows to the fields of the schema's list, and adds their hash. */
function withQuestions(form: FormData): FormData {
  const rows = ROWS.filter((row) => form.has(`question${row}`)).map((row) => ({
    question: String(form.get(`question${row}`)),
    answer: withLineFeeds(String(form.get(`answer${row}`) ?? "")),
  }));
  for (const [i, { question, answer }] of rows.entries()) {
    form.set(`faq[${i}].question`, question);
    form.set(`faq[${i}].answer`, answer);
  }
  if (rows.length > 0) {
    form.set("faqMark", markOf(rows.filter(({ question, answer }) => question || answer)));
  }
  return form;
}

export default function SettingsPage(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { view } = page;
  const edit = concurrentEdit(page.merged, view.values);
  const areTyped = edit.values.faqMark !== view.values.faqMark;
  return (
    <>
      <PageHead title="Settings">
        What is saved here counts from the next request on, in place of the variable that the server
        was started with. Every change is in the activity log.
      </PageHead>
      <Problem refusal={page.refusal} />
      <JumpLinks to={PARTS} />
      <PageForm
        key={view.values.version}
        id="settings"
        reply={page.replyTo()}
        edit={edit}
        preventScrollReset
        className="grid items-start gap-4 lg:grid-cols-2"
      >
        <FieldsPart {...BUSINESS} />
        <div className="grid min-w-0 gap-4">
          <FieldsPart {...BRAND}>
            <p className="flex items-center gap-4">
              {view.logo && (
                <Portrait portrait={view.logo} alt="The logo" size={64} className="size-16" />
              )}
              <Link to={href("/admin/settings/logo")} className="link">
                {view.logo ? "Another logo" : "Add a logo"}
              </Link>
            </p>
          </FieldsPart>
          <FieldsPart {...RULES} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          <QuestionsPart view={view} typed={areTyped ? page.typed : null} />
        </div>
        <div className="form-actions card m-0 lg:col-span-2">
          <SubmitButton pending="Saving...">Save Settings</SubmitButton>
        </div>
      </PageForm>
      <div className="mt-4">
        <ServicesPart services={view.services} lookNote={view.lookNote} />
      </div>
    </>
  );
}
