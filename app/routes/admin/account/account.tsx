/** The signed-in admin's own account. */
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import { z } from "zod";
import { changePassword, endMyOtherSessions, readAccount } from "#app/auth/account.server.ts";
import { changePasswordSchema, currentPasswordSchema } from "#app/auth/fields.ts";
import {
  adminContext,
  may,
  ownCounselor,
  refuseAsked,
  refuseOthers,
} from "#app/auth/require-admin.server.ts";
import { listSessions } from "#app/auth/session.server.ts";
import { listCounselorFeeds, renewCounselorFeed } from "#app/booking/captains.server.ts";
import { feedAddressSchema } from "#app/booking/change-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { adminInstant } from "#app/model/dates.ts";
import { invalid, success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { carryOut, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/account";
import { BackupPart, FeedsPart, PasswordPart, SessionsPart } from "./account-parts.tsx";
import {
  type AccountPress,
  type Answer,
  backupView,
  beginSetup,
  deviceName,
  HERE,
  shown,
  turnOff,
  turnOn,
} from "./account-view.server.ts";
import { SecondFactorPart } from "./second-factor.tsx";

const FAILED = "Error";

export function loader({ context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = context.get(adminContext);
  const account = readAccount(deps, session.admin);
  if (!account) throw data(null, { status: 404 });
  return {
    account,
    backup: may(context, "business") ? backupView(deps) : null,
    feeds: feedsOf(context),
    sessions: listSessions(deps, session).map((row) => ({
      device: deviceName(row.userAgent),
      signedIn: adminInstant(row.createdAt),
      lastSeen: adminInstant(row.lastSeenAt),
      isCurrent: row.isCurrent,
    })),
  };
}

function feedsOf(context: Route.LoaderArgs["context"]) {
  if (!may(context, "feeds")) return [];
  const own = ownCounselor(context);
  return listCounselorFeeds(context.get(depsContext))
    .filter(({ key }) => own === null || key === own)
    .map(({ name, url }) => ({ name, url }));
}

export async function action(asked: Route.ActionArgs) {
  const { request, context } = asked;
  const form = await request.formData();
  const press = {
    deps: context.get(depsContext),
    session: context.get(adminContext),
    client: context.get(clientContext),
    asked,
    form,
    intent: String(form.get("intent")),
  };
  return (pressOf(press.intent) ?? nothing)(press);
}

const pressOf = lookUp<string, (press: AccountPress) => Promise<Answer>>({
  password: newPassword,
  sessions: endSessions,
  "new-feed-address": newFeedAddress,
  "totp-begin": beginSetup,
  "totp-confirm": turnOn,
  "totp-off": turnOff,
});

async function newPassword({ deps, session, client, form, intent }: AccountPress) {
  const done = await carryOut(form, changePasswordSchema, (input) =>
    changePassword(deps, session, input, client),
  );
  if (!done.ok) return done.refuse("Password Not Changed", shown(intent));
  const notice = {
    title: "Password Changed",
    description: "Your sessions on other devices were ended.",
  };
  // The browser that set a new password stays known.
  return goOn(deps, HERE, notice, [["Set-Cookie", await deviceHeader(deps.env, done.value)]]);
}

async function endSessions({ deps, session, form, intent }: AccountPress) {
  const done = await carryOut(form, currentPasswordSchema, (input) =>
    endMyOtherSessions(deps, session, input),
  );
  if (!done.ok) return done.refuse("Sessions Not Ended", shown(intent));
  const ended = done.value === 1 ? "1 session was" : `${done.value} sessions were`;
  return goOn(deps, HERE, { title: "Sessions Ended", description: `${ended} ended.` });
}

async function newFeedAddress({ deps, session, asked, form, intent }: AccountPress) {
  const done = await carryOut(form, feedAddressSchema, ({ counselor }) => {
    const chosen = counselorNamed(readCatalogue(deps.db), counselor);
    if (!chosen.ok) return chosen;
    if (!may(asked.context, "feeds")) return refuseAsked(asked);
    const others = refuseOthers(asked, chosen.value.key);
    if (others) return others;
    const renewed = renewCounselorFeed(deps, counselor, { kind: "admin", ...session.admin });
    return renewed.ok ? success(counselor) : renewed;
  });
  if (!done.ok) return done.refuse("Address Not Renewed", shown(intent));
  return goOn(deps, HERE, {
    title: "Address Renewed",
    description: ownCounselor(asked.context)
      ? "The old address no longer works: please subscribe to the new one."
      : `The old address no longer works: please give ${done.value} the new one.`,
  });
}

async function nothing({ form, intent }: AccountPress) {
  const submission = parseWithZod(form, { schema: z.object({}) });
  const failure = invalid({ intent: ["There is nothing to do here."] });
  return refuse(submission, failure, FAILED, shown(intent));
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { account, backup, feeds, sessions } = loaderData;
  const answer = useAnswer(actionData, FAILED);
  const replyTo = (...intents: string[]) =>
    intents.includes(answer?.intent ?? "") ? (answer?.reply ?? null) : null;
  return (
    <>
      <PageHead title="Account">
        {account.username}, {account.email}
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PasswordPart reply={replyTo("password")} refused={Boolean(answer?.refusal)} />
        <SecondFactorPart
          isOn={account.secondFactor.isOn}
          recoveryCodesLeft={account.secondFactor.recoveryCodesLeft}
          setup={answer?.setup ?? null}
          recoveryCodes={answer?.recoveryCodes ?? null}
          reply={replyTo("totp-confirm", "totp-off")}
        />
        <SessionsPart sessions={sessions} reply={replyTo("sessions")} />
        {feeds.length > 0 && <FeedsPart feeds={feeds} />}
        {backup && <BackupPart {...backup} />}
      </div>
    </>
  );
}
