/** Who works with the bookings: accounts with their roles, invitations, access. */
import { href } from "react-router";
import { changeAccountSchema, inviteSchema } from "#app/auth/fields.ts";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { changeAccount, invite, inviteAgain } from "#app/auth/team.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Account } from "#db/queries/admins.server.ts";
import type { Route } from "./+types/team";
import { AccountItem, InvitePart } from "./team-parts.tsx";
import { readTeam } from "./team-view.server.ts";

const HERE = href("/admin/team");
const FAILED = "Team Not Changed";

export function loader({ context }: Route.LoaderArgs) {
  return readTeam(context.get(depsContext), context.get(adminContext).admin);
}

interface TeamPress {
  deps: Deps;
  actor: Actor;
  form: FormData;
  /** Whose account it is about. */
  username: string;
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const username = String(form.get("username") ?? "").trim();
  const actor = actorOf(context);
  const done = await (pressOf(intent) ?? inviteNew)({ deps, actor, form, username });
  if (!done.ok) return done.refuse(FAILED, { intent, of: username });
  const { admin } = context.get(adminContext);
  // Who has changed the own account may see this page no more.
  const to = done.value.id === admin.id ? href("/admin") : HERE;
  return goOn(deps, to, {
    title: TITLES(intent) ?? "Invitation Sent",
    description: wordsOf(done.value),
  });
}

const pressOf = lookUp({ invite: inviteNew, change, again, take, give });

const TITLES = lookUp({
  change: "Role Changed",
  take: "Access Taken Away",
  give: "Access Given",
});

function inviteNew({ deps, actor, form }: TeamPress) {
  return carryOut(form, inviteSchema, (input) => invite(deps, actor, placed(input)));
}

/** The form has a captain chosen also where the role asks for none. */
function placed<T extends { role: string; counselor?: string | undefined }>(input: T): T {
  return input.role === "captain" ? input : { ...input, counselor: undefined };
}

const roleSchema = inviteSchema.pick({ role: true, counselor: true });
const nothingMore = changeAccountSchema.pick({});

function change({ deps, actor, form, username }: TeamPress) {
  return carryOut(form, roleSchema, (input) => changeAccount(deps, actor, username, placed(input)));
}

function again({ deps, actor, form, username }: TeamPress) {
  return carryOut(form, nothingMore, () => inviteAgain(deps, actor, username));
}

function take(press: TeamPress) {
  return setAccess(press, false);
}

function give(press: TeamPress) {
  return setAccess(press, true);
}

function setAccess({ deps, actor, form, username }: TeamPress, active: boolean) {
  return carryOut(
    form,
    nothingMore,
    (): Outcome<Account> => changeAccount(deps, actor, username, { active }),
  );
}

function wordsOf({ username, email, passwordHash, inactiveSince }: Account): string {
  if (inactiveSince !== null) {
    return `${username} is signed out everywhere and cannot sign in.`;
  }
  return passwordHash === ""
    ? `The invitation of ${username} goes to ${email}.`
    : `It counts for ${username} from now on.`;
}

export default function Team({ loaderData, actionData }: Route.ComponentProps) {
  const { accounts, counselors } = loaderData;
  const answer = useAnswer(actionData, FAILED);
  const replyTo = (intent: string, of?: string) =>
    answer?.intent === intent && (of === undefined || answer.of === of) ? answer.reply : null;
  return (
    <>
      <PageHead title="Team" />
      <Problem refusal={answer?.refusal} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <section aria-labelledby="accounts-title" className="card p-3 sm:p-5">
          <h2 id="accounts-title" className="display mb-3 text-xl">
            Accounts
          </h2>
          <ul className="grid gap-3">
            {accounts.map((account) => (
              <AccountItem
                key={account.username}
                account={account}
                counselors={counselors}
                reply={replyTo("change", account.username)}
              />
            ))}
          </ul>
        </section>
        <InvitePart
          // Who is invited stands in the list: the fields are empty again.
          key={accounts.length}
          counselors={counselors}
          reply={replyTo("invite")}
        />
      </div>
    </>
  );
}
