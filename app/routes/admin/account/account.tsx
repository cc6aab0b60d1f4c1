/** The signed-in admin's own account. */
import { href } from "react-router";
import { z } from "zod";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
  setUpTotp,
} from "#app/auth/account.server.ts";
import {
  changePasswordSchema,
  currentPasswordSchema,
  passwordAndCodeSchema,
} from "#app/auth/fields.ts";
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
import { clientContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { adminInstant } from "#app/model/dates.ts";
import { invalid, success } from "#app/model/outcome.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/account";
import { BackupPart, FeedsPart, PasswordPart, SessionsPart } from "./account-parts.tsx";
import { backupView, deviceName, setupView, type TotpSetupView } from "./account-view.server.ts";
import { SecondFactorPart } from "./second-factor.tsx";

const here = (title: string, description: string) => {
  return { to: href("/admin/account"), title, description };
};

const FORM = { unanswered: "Error" };

/** Secret and recovery codes are only in the response to their form. */
interface ShownOnce {
  setup?: TotpSetupView | null;
  recoveryCodes?: readonly string[];
}

const mine = screen({
  find: ({ context }: Asked<Route.LoaderArgs>) => context.get(adminContext),
  view: ({ deps, context, about: session }) => {
    return {
      account: found(readAccount(deps, session.admin)),
      backup: may(context, "business") ? backupView(deps) : null,
      feeds: feedsOf({ deps, context }),
      sessions: listSessions(deps, session).map((row) => ({
        device: deviceName(row.userAgent),
        signedIn: adminInstant(row.createdAt),
        lastSeen: adminInstant(row.lastSeenAt),
        isCurrent: row.isCurrent,
      })),
    };
  },
});

function feedsOf({ deps, context }: Pick<Asked, "deps" | "context">) {
  if (!may(context, "feeds")) return [];
  const own = ownCounselor(context);
  return listCounselorFeeds(deps)
    .filter(({ key }) => own === null || key === own)
    .map(({ name, url }) => ({ name, url }));
}

const { loader, action } = mine.page<ShownOnce>({
  nothing: mine.form({
    fields: z.object({}),
    run: () => invalid({ intent: ["There is nothing to do here."] }),
    failed: "Error",
    done: () => ({}),
  }),
  password: mine.form({
    ...FORM,
    fields: changePasswordSchema,
    run: (input, { deps, context, about }) =>
      changePassword(deps, about, input, context.get(clientContext)),
    failed: "Password Not Changed",
    done: async (device, { deps }) => ({
      ...here("Password Changed", "Your sessions on other devices were ended."),
      // So that the account still knows this browser.
      headers: [["Set-Cookie", await deviceHeader(deps.env, device)]],
    }),
  }),
  sessions: mine.form({
    ...FORM,
    fields: currentPasswordSchema,
    run: (input, { deps, about }) => endMyOtherSessions(deps, about, input),
    failed: "Sessions Not Ended",
    done: (ended) =>
      here("Sessions Ended", `${ended === 1 ? "1 session was" : `${ended} sessions were`} ended.`),
  }),
  "new-feed-address": mine.form({
    ...FORM,
    fields: feedAddressSchema,
    run: ({ counselor }, asked) => {
      const { deps, context, actor } = asked;
      const chosen = counselorNamed(readCatalogue(deps.db), counselor);
      if (!chosen.ok) return chosen;
      if (!may(context, "feeds")) return refuseAsked(asked);
      const renewed =
        refuseOthers(asked, chosen.value.key) ?? renewCounselorFeed(deps, counselor, actor);
      return renewed.ok ? success(counselor) : renewed;
    },
    failed: "Address Not Renewed",
    done: (counselor, { context }) =>
      here(
        "Address Renewed",
        ownCounselor(context)
          ? "The old address no longer works: please subscribe to the new one."
          : `The old address no longer works: please give ${counselor} the new one.`,
      ),
  }),
  "totp-begin": mine.form({
    ...FORM,
    fields: z.object({}),
    run: (_, { deps, about }) => success(setUpTotp(deps, about.admin, { anew: true })),
    failed: "Error",
    done: (begun) => ({ more: { setup: setupView(begun) } }),
  }),
  "totp-confirm": mine.form({
    ...FORM,
    fields: passwordAndCodeSchema,
    run: ({ currentPassword, totp }, { deps, about }) =>
      confirmTotp(deps, about, { currentPassword, code: totp }),
    failed: "Second Factor Not Turned On",
    beside: (_, { deps, about }): ShownOnce => ({
      setup: setupView(setUpTotp(deps, about.admin, { anew: false })),
    }),
    done: ({ recoveryCodes }) => ({ more: { recoveryCodes } }),
  }),
  "totp-off": mine.form({
    ...FORM,
    fields: passwordAndCodeSchema,
    run: ({ currentPassword, totp }, { deps, about }) =>
      disableTotp(deps, about, { currentPassword, code: totp }),
    failed: "Second Factor Not Turned Off",
    done: () => here("Second Factor Off", "Signing in asks for the password only."),
  }),
});

export { action, loader };

export default function Account(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { account, backup, feeds, sessions } = page.view;
  return (
    <>
      <PageHead title="Account">
        {account.username}, {account.email}
      </PageHead>
      <Problem refusal={page.refusal} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PasswordPart reply={page.replyTo("password")} refused={page.refusal !== null} />
        <SecondFactorPart
          {...account.secondFactor}
          setup={page.more?.setup ?? null}
          recoveryCodes={page.more?.recoveryCodes ?? null}
          reply={page.replyTo("totp-confirm", "totp-off")}
        />
        <SessionsPart sessions={sessions} reply={page.replyTo("sessions")} />
        {feeds.length > 0 && <FeedsPart feeds={feeds} />}
        {backup && <BackupPart {...backup} />}
      </div>
    </>
  );
}
