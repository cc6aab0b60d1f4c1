/** A customer reports that the captain is not there, then asks for another time or a full refund. */
import { type ReactNode, useEffect, useState } from "react";
import { data, href, redirectDocument, useNavigation } from "react-router";
import { isOpenIn, openBooking } from "#app/booking/self-service.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import { check } from "#app/model/fields.ts";
import { type Failure, type FieldErrors, failure, STATUS_OF_CODE } from "#app/model/outcome.ts";
import {
  bookingHead,
  type NewTimesView,
  newTimesView,
  requireBooking,
} from "#app/routes/public/booking/change/change-view.server.ts";
import { NewDay, NewTime } from "#app/routes/public/booking/change/new-day-and-time.tsx";
import { OpenForm, refusedReply } from "#app/routes/public/booking/open-form.tsx";
import {
  FormProblem,
  focusFormProblem,
  problemLines,
} from "#app/routes/public/parts/form-problem.tsx";
import { OnlineForm } from "#app/routes/public/parts/online-form.tsx";
import { PublicPage, privateMeta } from "#app/routes/public/parts/public-page.tsx";
import { type Kept, readOrKeep, useShown } from "#app/routes/public/parts/use-refresh.ts";
import { helpSchema } from "#app/sessions/fields.ts";
import { askForHelp, callForHelp } from "#app/sessions/help.server.ts";
import type { Route } from "./+types/help";
import { HelpCard } from "./help-card.tsx";
import { helpView } from "./help-view.server.ts";

export const handle = { hydrate: true };

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  const help = helpView(deps, appointment);
  const days = help?.canAsk ? newTimesView(deps, appointment, url.searchParams.get("date")) : null;
  return { ...bookingHead(deps, appointment), help, days };
}

const kept: Kept<ReturnType<typeof loader>> = { shown: null };

export function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  return readOrKeep(kept, serverLoader, ({ id }) => id === params.id);
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  const { id } = appointment;
  const sent = [...(await request.formData())].map(([name, value]) => [name, String(value)]);
  const form: Record<string, string> = Object.fromEntries(sent);
  const headers = new Headers();
  /** `isShut` unless this browser has booked, or has given the booking's email address. */
  const refuse = (
    refusal: Failure,
    isShut = false,
    status: number = STATUS_OF_CODE[refusal.code],
  ) => {
    const { code, message, errors } = refusal;
    const { email, intent: _, ...typed } = form;
    // A refusal comes with the present state, on the day that was chosen.
    const help = helpView(deps, appointment);
    const days = help?.canAsk
      ? newTimesView(deps, appointment, form.day ?? form.date ?? null)
      : null;
    const gone: FieldErrors = code === "slot_taken" ? { newTimeSlot: [message] } : {};
    const refused = { isShut, message, errors: errors ?? gone, email, typed, help, days };
    const all = [...headers, ...Object.entries(retryHeaders(refusal))];
    return data(refused, { status, headers: new Headers(all) });
  };
  if (form.show) return refuse(SHOWN, false, 200);
  if (!(await isOpenIn(deps, request, id))) {
    if (form.email === undefined) return refuse(SHUT, true);
    const claim = { email: form.email, clientAddress: context.get(clientContext).address };
    const opened = await openBooking(deps, id, claim, request);
    if (!opened.ok) return refuse(opened, true);
    headers.append("Set-Cookie", opened.value);
  }
  const said = check(helpSchema, { asks: "call", ...form });
  if (!said.ok) return refuse(said);
  const { value } = said;
  const done =
    value.asks === "call"
      ? callForHelp(deps, { kind: "customer" }, id, "customer")
      : askForHelp(deps, id, value);
  if (!done.ok) return refuse(done);
  const word = done.value?.isNew === false ? "known" : "said";
  const to = `${href("/booking/:id", { id })}?done=${word}`;
  throw redirectDocument(to, { status: 303, headers });
}

/** Only the times of another day were asked for. */
const SHOWN = failure("validation_failed", "");
const SHUT = failure(
  "forbidden",
  "Please give the email address of the booking. What you said is sent with it.",
);

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Help with your session");

export default function Help({ loaderData: view, actionData: refused }: Route.ComponentProps) {
  const { id } = view;
  useShown(kept, view);
  const { help, days } = refused ?? view;
  const targets = { email: "help-email", newTimeSlot: "new-time", date: "new-day" };
  // Takes the focus back from the field that Conform has focused, after each refusal.
  useEffect(() => {
    if (refused) focusFormProblem();
  }, [refused]);
  return (
    <PublicPage business={view.business}>
      <div className="mx-auto grid max-w-text gap-6 px-4 py-10 md:px-6 md:py-14">
        {refused?.message && (
          <FormProblem
            notice={
              Object.keys(refused.errors).length > 0
                ? null
                : { title: "Not sent yet", text: refused.message }
            }
            lines={problemLines(refused.errors, targets)}
          />
        )}
        <div>
          <h1 className="display text-2xl md:text-3xl">Help with your session</h1>
          <p className="mt-2 text-lg text-muted">{view.session}</p>
        </div>
        {refused?.isShut ? (
          <OpenForm
            id="help"
            action={href("/booking/:id/help", { id })}
            reply={refusedReply(refused.errors, refused.email)}
            emailHint={view.emailHint}
            keeps="say so, or ask for your money back"
            typed={refused.typed}
          />
        ) : (
          <>
            {help && <HelpCard help={help} business={view.business} isOwnPage />}
            {!help?.canAsk && !help?.canCall && (
              <p>
                From five minutes after the start until an hour after the end of a session you can
                say here that the captain is not there.
              </p>
            )}
            {days && <AskForTime id={id} days={days} refused={refused} />}
            {help?.canAsk && help.refund && <AskForRefund id={id} amount={help.refund} />}
          </>
        )}
        <a className="link w-fit py-1" href={href("/booking/:id", { id })}>
          See your booking
        </a>
      </div>
    </PublicPage>
  );
}

interface AskForTimeProps {
  id: string;
  days: NewTimesView;
  refused: Route.ComponentProps["actionData"];
}

function AskForTime({ id, days, refused }: AskForTimeProps) {
  const page = href("/booking/:id/help", { id });
  const [choice, setChoice] = useState({ date: "", timeSlot: "" });
  if (days.isOff) return null;
  return (
    <section aria-labelledby="another-time" className="card grid gap-5 p-5 shadow-low md:p-6">
      <h2 id="another-time" className="display text-lg">
        Ask for another time
      </h2>
      <NewDay page={page} days={days} form="ask-for-time" />
      <OnlineForm id="ask-for-time" method="post" action={page} noValidate className="grid gap-5">
        <input type="hidden" name="date" value={days.date} />
        <NewTime
          page={page}
          days={days}
          chosen={choice.date === days.date ? choice.timeSlot : ""}
          errors={refused?.errors.newTimeSlot}
          onChoose={(timeSlot) => setChoice({ date: days.date, timeSlot })}
        />
        <AskButton asks="move" className="button-primary sm:w-fit">
          Ask for this time
        </AskButton>
      </OnlineForm>
    </section>
  );
}

function AskForRefund({ id, amount }: { id: string; amount: string }) {
  return (
    <section aria-labelledby="money-back" className="card grid gap-4 p-5 shadow-low md:p-6">
      <h2 id="money-back" className="display text-lg">
        Or ask for your money back
      </h2>
      <p>Our team confirms it. Then the session is cancelled and {amount} goes back to you.</p>
      <OnlineForm method="post" action={href("/booking/:id/help", { id })}>
        <AskButton asks="refund" className="button-quiet">
          Ask for {amount} back
        </AskButton>
      </OnlineForm>
    </section>
  );
}

interface AskButtonProps {
  asks: "move" | "refund";
  className: string;
  children: ReactNode;
}

/** With what its form asks for. While one of the forms is sent, none can be. */
function AskButton({ asks, className, children }: AskButtonProps) {
  const { formData } = useNavigation();
  return (
    <>
      <input type="hidden" name="asks" value={asks} />
      <button type="submit" disabled={formData !== undefined} className={`button ${className}`}>
        {formData?.get("asks") === asks ? "Sending..." : children}
      </button>
    </>
  );
}
