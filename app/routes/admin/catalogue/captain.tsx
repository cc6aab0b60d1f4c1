/** One captain: what visitors see, whether they can be booked, sessions that need a decision. */
import { href, Link } from "react-router";
import { changeCaptain } from "#app/booking/captains.server.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import { Affected } from "#app/routes/admin/parts/clashes.tsx";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { concurrentEdit, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/captain";
import { CATALOGUE, CaptainForm, PortraitPart } from "./captain-parts.tsx";
import { type CaptainView, captainView, withRoom } from "./catalogue-view.server.ts";

const { loader, action } = screen({
  find: ({ deps, context, params }: Asked<Route.LoaderArgs>) =>
    captainView(deps, context, params.key),
  view: ({ about }) => about,
}).one({
  fields: changeCounselorSchema,
  rename: withRoom,
  run: (input, { deps, actor, about }) => changeCaptain(deps, actor, about.counselor.key, input),
  failed: "Captain Not Saved",
  saved: ({ about }) => about.values,
  done: ({ counselor, notified }, { form }) => {
    const state = counselor.active
      ? `${counselor.name} is on the page again.`
      : `${counselor.name} is off the page and can no longer be booked.`;
    return {
      to: href("/admin/catalogue/captains/:key", { key: counselor.key }),
      title: "Captain Saved",
      description: form.has("active") ? state : `It counts from now on.${notifiedWords(notified)}`,
    };
  },
});

export { action, loader };

function notifiedWords(count: number): string {
  if (count === 0) return "";
  const whose = count === 1 ? "The customer of one session" : `The customers of ${count} sessions`;
  return ` ${whose} to come ${count === 1 ? "is" : "are"} notified by mail how it takes place now.`;
}

export default function Captain(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { view } = page;
  const { counselor, clashes, state } = view;
  const { key, name, formerNames, active, sample } = counselor;
  const edit = concurrentEdit(page.merged, view.values);
  return (
    <>
      <PageHead title={name} above={CATALOGUE}>
        {state}.{formerNames.length > 0 && ` Also found as ${formerNames.join(", ")}.`}{" "}
        <Link to={href("/admin/schedule/:key", { key })} className="link">
          Weekly hours, leave and calendar
        </Link>
      </PageHead>
      <Problem refusal={page.refusal} />
      {!active && <Affected clashes={clashes} answer={null} />}
      <CaptainForm
        key={`${edit.values.version} ${name}`}
        edit={edit}
        reply={page.replyTo()}
        captain={counselor}
      />
      <div className="mt-6 grid items-start gap-4 lg:grid-cols-2">
        <PortraitPart counselor={counselor} />
        <OnThePage {...view} />
        {sample && <SamplePart version={counselor.version} />}
      </div>
    </>
  );
}

function OnThePage({ counselor: { active, version }, toCome }: CaptainView) {
  const count = toCome === 1 ? "One session" : `${toCome} sessions`;
  const stand = toCome > 0 ? ` ${count} to come would stand, and be listed here.` : "";
  return (
    <Part
      title={active ? "Take off the page" : "Put on the page"}
      text={
        active
          ? `Nobody can book this captain then. Unpaid bookings that are held can still be paid, and old appointments stay readable.${stand}`
          : "Visitors see the card again and can book."
      }
    >
      <ButtonForm sends={{ version }}>
        <button
          type="submit"
          name="active"
          value={String(!active)}
          className={`button ${active ? "button-danger" : "button-primary"}`}
        >
          {active ? "Take Off the Page" : "Put on the Page"}
        </button>
      </ButtonForm>
    </Part>
  );
}

function SamplePart({ version }: { version: number }) {
  return (
    <Part
      title="Sample profile"
      text="A sample can be booked only on this machine or where documents are samples too. It is one no longer once name, email and portrait have each changed, or when you say so. Years, rating and number of sessions are samples too: give the captain's own, or leave them empty."
    >
      <ButtonForm sends={{ version }}>
        <button type="submit" name="sample" value="false" className="button button-quiet">
          This Is a Real Captain
        </button>
      </ButtonForm>
    </Part>
  );
}
