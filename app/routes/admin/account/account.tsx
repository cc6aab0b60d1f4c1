/** The signed-in admin's own account. */
import { data, href } from "react-router";
import {
  beginTotp,
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
  shownTotp,
  type TotpSetup,
} from "#app/auth/account.server.ts";
import {
  changePasswordSchema,
  confirmedPasswordSchema,
  secondFactorSchema,
} from "#app/auth/fields.ts";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { type LiveSession, listSessions } from "#app/auth/session.server.ts";
import { listCounselorFeeds, renewCounselorFeed } from "#app/booking/counselor-feed.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { type Device, deviceHeader } from "#app/core/device-cookie.server.ts";
import { check } from "#app/model/check.ts";
import { formatInstant } from "#app/model/dates.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { PageHead } from "#app/routes/admin/parts/admin-page.tsx";
import { type Fields, fieldsOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import type { Route } from "./+types/account";
import {
  BackupPart,
  FeedsPart,
  PasswordPart,
  SecondFactorPart,
  SessionsPart,
} from "./account-parts.tsx";
import { backupView } from "./backup-view.server.ts";
import { deviceName } from "./device-name.ts";
import { qrCode } from "./qr-code.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = context.get(adminContext);
  const account = readAccount(deps, session.admin);
  if (!account) throw data(null, { status: 404 });
  return {
    account,
    backup: backupView(deps),
    feeds: listCounselorFeeds(deps),
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
  if (intent === "totp-begin") return showSetup(deps, session, intent);
  if (intent === "totp-confirm") return turnOn(deps, session, fields);
  const outcome = await act(deps, session, client, intent, fields);
  if (!outcome.ok) {
    return refuse(outcome, title(intent) ?? "Error", { intent, setup: null, recoveryCodes: null });
  }
  const { device } = outcome.value;
  const cookies = device ? [["Set-Cookie", await deviceHeader(deps.env, device)] as const] : [];
  return goOn(deps, href("/admin/account"), outcome.value, cookies);
}

const title = lookUp<string, string>({
  password: "Password Not Changed",
  sessions: "Sessions Not Ended",
  "new-feed-address": "Address Not Renewed",
  "totp-confirm": "Second Factor Not Turned On",
  "totp-off": "Second Factor Not Turned Off",
});

const passwordSchema = changePasswordSchema.pick({ currentPassword: true });
const passwordAndCodeSchema = passwordSchema.extend({ totp: secondFactorSchema });

interface Done {
  title: string;
  description: string;
  /** The browser that set a new password stays known. */
  device?: Device;
}

async function act(
  deps: Deps,
  session: LiveSession,
  client: Client,
  intent: string,
  fields: Fields,
): Promise<Outcome<Done>> {
  switch (intent) {
    case "password": {
      const changed = await newPassword(deps, session, client, fields);
      if (!changed.ok) return changed;
      const description = "Your sessions on other devices were ended.";
      return success({ title: "Password Changed", description, device: changed.value });
    }
    case "sessions": {
      const input = check(passwordSchema, fields);
      if (!input.ok) return input;
      const ended = await endMyOtherSessions(deps, session, input.value);
      if (!ended.ok) return ended;
      const description =
        ended.value === 1 ? "1 session was ended." : `${ended.value} sessions were ended.`;
      return success({ title: "Sessions Ended", description });
    }
    case "new-feed-address": {
      const { counselor = "" } = fields;
      return after(renewCounselorFeed(deps, counselor, session.admin.username), {
        title: "Address Renewed",
        description: `The old address no longer works: please give ${counselor} the new one.`,
      });
    }
    case "totp-off": {
      const input = check(passwordAndCodeSchema, fields);
      if (!input.ok) return input;
      const { currentPassword, totp } = input.value;
      const wish = { currentPassword, code: totp };
      return after(await disableTotp(deps, session.admin, wish), {
        title: "Second Factor Off",
        description: "Signing in asks for the password only.",
      });
    }
    default:
      return invalid({ intent: ["There is nothing to do here."] });
  }
}

function after(outcome: Outcome<unknown>, done: Done): Outcome<Done> {
  return outcome.ok ? success(done) : outcome;
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
function showSetup(deps: Deps, { admin }: LiveSession, intent: string) {
  const begun = beginTotp(deps, admin);
  return { refusal: null, intent, setup: setupView(begun), recoveryCodes: null };
}

async function turnOn(deps: Deps, { admin }: LiveSession, fields: Fields) {
  const intent = "totp-confirm";
  const input = check(passwordAndCodeSchema, fields);
  const confirmed = input.ok
    ? await confirmTotp(deps, admin, {
        currentPassword: input.value.currentPassword,
        code: input.value.totp,
      })
    : input;
  if (confirmed.ok) {
    return { refusal: null, intent, setup: null, recoveryCodes: confirmed.value.recoveryCodes };
  }
  const setup = setupView(shownTotp(deps, admin));
  return refuse(confirmed, title(intent) ?? "Error", { intent, setup, recoveryCodes: null });
}

function setupView(begun: Outcome<TotpSetup>) {
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
        <PasswordPart errors={errorsOf("password")} refused={Boolean(refusal)} />
        <SecondFactorPart
          isOn={account.secondFactor.isOn}
          recoveryCodesLeft={account.secondFactor.recoveryCodesLeft}
          setup={actionData?.setup ?? null}
          recoveryCodes={actionData?.recoveryCodes ?? null}
          errors={errorsOf("totp-confirm totp-off")}
        />
        <SessionsPart sessions={sessions} errors={errorsOf("sessions")} />
        <FeedsPart feeds={feeds} />
        <BackupPart {...backup} />
      </div>
    </>
  );
}
