/** Buttons of the first steps: confirm a step, send a test mail, dismiss or show the list. */
import {
  CONFIRMED,
  confirmFirstStep,
  hideFirstSteps,
  sendTestMail,
} from "#app/doctor/first-steps.server.ts";
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/first-steps-done";

export const action = clickAction<Route.ActionArgs>(({ deps, actor, form }) => {
  const step = CONFIRMED.find((one) => one === form.get("confirm"));
  const done = step
    ? confirmFirstStep(deps, actor, step)
    : form.has("testMail")
      ? sendTestMail(deps, actor)
      : form.has("away")
        ? hideFirstSteps(deps, actor, form.get("away") === "true")
        : null;
  if (done === null) return null;
  return done.ok
    ? noticeOf(done.value)
    : { title: "Nothing Was Done", description: done.message, variant: "destructive" };
});

function noticeOf(done: string | boolean) {
  if (done === true) {
    const description = "Settings can bring the list back.";
    return { title: "List Put Away", description };
  }
  if (done === false) {
    return { title: "List Shown", description: "What is not done yet is on the dashboard." };
  }
  if (done.includes("@")) {
    const description = `It goes to ${done}. Load this page again in a moment.`;
    return { title: "Test Mail On Its Way", description };
  }
  return { title: "Noted", description: "This step is done." };
}

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
