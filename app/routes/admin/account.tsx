/** The signed-in admin's own account. */
import { data, href } from "react-router";
import {
  changePasswordSchema,
  confirmedPasswordSchema,
  secondFactorSchema,
} from "#app/api-contract/admin-fields.ts";
import { check } from "#app/api-contract/api.server.ts";
import {
  beginTotp,
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
} from "#app/auth/account.server.ts";
import { type LiveSession, listSessions } from "#app/auth/session.server.ts";
import { counselorFeedUrl } from "#app/booking/counselor-feed.server.ts";
import { COUNSELORS } from "#app/catalogue.ts";
import {
  BackupPart,
  FeedsPart,
  PasswordPart,
  SecondFactorPart,
  SessionsPart,
} from "#app/components/admin/account-parts.tsx";
import { PageHead } from "#app/components/admin/admin-page.tsx";
import { Problem } from "#app/components/admin/notice.tsx";
import { formatInstant } from "#app/lib/dates.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/lib/deps.server.ts";
import { invalid, type Outcome } from "#app/lib/outcome.ts";
import { adminContext } from "#app/middleware/require-admin.server.ts";
import type { Route } from "./+types/account";
import { backupView } from "./backup-view.server.ts";
import { deviceName } from "./device-name.ts";
import { type Fields, fieldsOf, goOn, refuse } from "./forms.server.ts";
import { qrCode } from "./qr-code.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = context.get(adminContext);
  const account = readAccount(deps, session.admin);
  if (!account) throw data(null, { status: 404 });
  return {
    account,
    backup: backupView(deps),
    feeds: COUNSELORS.map(({ key, name }) => ({ name, url: counselorFeedUrl(deps.env, key) })),
    sessions: listSessions(deps, session).map((row) => ({
      device: deviceName(row.userAgent),
      signedIn: formatInstant(row.createdAt),
      lastSeen: formatInstant(row.lastSeenAt),
      isCurrent: row.isCurrent,
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const session = context.get(adminContext);
  const client = context.get(clientContext);
  const fields = fieldsOf(await request.formData());
  const { intent = "" } = fields;
  if (intent === "totp-begin" || intent === "totp-confirm") return setUp(deps, session, fields);
  const outcome = await act(deps, session, client, intent, fields);
  if (!outcome.ok) {
    return refuse(outcome, TITLES[intent] ?? "Error", { intent, setup: null, recoveryCodes: null });
  }
  return goOn(deps, href("/admin/account"), outcome.value);
}

const TITLES: Readonly<Record<string, string>> = {
  password: "Password Not Changed",
  "totp-confirm": "Second Factor Not Turned On",
  "totp-off": "Second Factor Not Turned Off",
};

interface Done {
  title: string;
  description: string;
}

async function act(
  deps: Deps,
  session: LiveSession,
  client: Client,
  intent: string,
  fields: Fields,
): Promise<Outcome<Done>> {
  switch (intent) {
    case "password":
      return after(await newPassword(deps, session, client, fields), {
        title: "Password Changed",
        description: "Your sessions on other devices were ended.",
      });
    case "sessions": {
      const ended = endMyOtherSessions(deps, session);
      const description = ended === 1 ? "1 session was ended." : `${ended} sessions were ended.`;
      return { ok: true, value: { title: "Sessions Ended", description } };
    }
    case "totp-off": {
      const { currentPassword = "", totp = "" } = fields;
      const wish = { currentPassword, code: totp };
      return after(await disableTotp(deps, session.admin, wish, client), {
        title: "Second Factor Off",
        description: "Signing in asks for the password only.",
      });
    }
    default:
      return invalid({ intent: ["There is nothing to do here."] });
  }
}

function after(outcome: Outcome<unknown>, done: Done): Outcome<Done> {
  return outcome.ok ? { ok: true, value: done } : outcome;
}

async function newPassword(deps: Deps, session: LiveSession, client: Client, fields: Fields) {
  const input = check(changePasswordSchema, fields);
  const repeated = check(confirmedPasswordSchema, fields);
  if (!input.ok || !repeated.ok) {
    return invalid({
      ...(input.ok ? {} : input.errors),
      ...(repeated.ok ? {} : repeated.errors),
    });
  }
  return changePassword(deps, session, input.value, client);
}

/** The secret and the recovery codes are in the answer to the press and nowhere else. */
function setUp(deps: Deps, { admin }: LiveSession, { intent = "", totp }: Fields) {
  const code = check(secondFactorSchema, totp ?? "");
  if (intent === "totp-confirm" && code.ok) {
    const confirmed = confirmTotp(deps, admin, code.value);
    if (confirmed.ok) {
      return { refusal: null, intent, setup: null, recoveryCodes: confirmed.value.recoveryCodes };
    }
    const title = TITLES[intent] ?? "Error";
    return refuse(confirmed, title, { intent, setup: setupView(deps, admin), recoveryCodes: null });
  }
  return { refusal: null, intent, setup: setupView(deps, admin), recoveryCodes: null };
}

function setupView(deps: Deps, admin: LiveSession["admin"]) {
  const begun = beginTotp(deps, admin);
  return begun.ok ? { secret: begun.value.secret, qr: qrCode(begun.value.uri) } : null;
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { account, backup, feeds, sessions } = loaderData;
  const refusal = actionData?.refusal;
  const errors = refusal?.errors;
  const errorsOf = (intents: string) =>
    actionData && intents.includes(actionData.intent) ? errors : undefined;
  return (
    <>
      <PageHead title="Account">
        {account.username}, {account.email}
      </PageHead>
      {refusal && <Problem title={refusal.title} message={refusal.message} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PasswordPart errors={errorsOf("password")} />
        <SecondFactorPart
          isOn={account.secondFactor.isOn}
          recoveryCodesLeft={account.secondFactor.recoveryCodesLeft}
          setup={actionData?.setup ?? null}
          recoveryCodes={actionData?.recoveryCodes ?? null}
          errors={errorsOf("totp-confirm totp-off")}
        />
        <SessionsPart sessions={sessions} />
        <FeedsPart feeds={feeds} />
        <BackupPart {...backup} />
      </div>
    </>
  );
}
