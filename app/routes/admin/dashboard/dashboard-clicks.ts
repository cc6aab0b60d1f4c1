/** Clicks on the dashboard: confirm, test or put away the first steps; dismiss internal failures. */
import {
  CONFIRMED,
  confirmFirstStep,
  hideFirstSteps,
  sendTestMail,
} from "#app/doctor/first-steps.server.ts";
import { type Click, clickAction, noticeOf } from "#app/routes/admin/parts/forms.server.ts";
import { deleteFailures } from "#db/queries/health.server.ts";

export const action = clickAction((click) =>
  click.pattern.endsWith("failures") ? dismissFailures(click) : changeSteps(click),
);

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";

/** Those that occurred again since they were shown stay. */
function dismissFailures({ deps, form }: Click) {
  const until = Number(form.get("until"));
  if (Number.isFinite(until)) deleteFailures(deps.db, until);
  const description = "It comes back if it happens again. The log keeps it.";
  return { title: "Dismissed", description };
}

function changeSteps({ deps, actor, form }: Click) {
  const failed = "Nothing Was Done";
  const step = CONFIRMED.find((one) => one === form.get("confirm"));
  if (step) return noticeOf(confirmFirstStep(deps, actor, step), failed, () => NOTED);
  if (form.has("testMail")) {
    return noticeOf(sendTestMail(deps, actor), failed, (email) => ({
      title: "Test Mail On Its Way",
      description: `It goes to ${email}. Load this page again in a moment.`,
    }));
  }
  if (!form.has("away")) return null;
  const hidden = hideFirstSteps(deps, actor, form.get("away") === "true");
  return noticeOf(hidden, failed, (isHidden) => (isHidden ? PUT_AWAY : SHOWN));
}

const NOTED = { title: "Noted", description: "This step is done." };
const PUT_AWAY = { title: "List Put Away", description: "Settings can bring the list back." };
const SHOWN = { title: "List Shown", description: "What is not done yet is on the dashboard." };
