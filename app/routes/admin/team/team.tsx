/** The team: accounts with their roles, invitations and access. */
import { href } from "react-router";
import { changeAccountSchema, inviteSchema } from "#app/auth/fields.ts";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { changeAccount, invite, inviteAgain } from "#app/auth/team.server.ts";
import { type Sent, type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Account } from "#db/queries/admins.server.ts";
import type { Route } from "./+types/team";
import { AccountItem, InvitePart } from "./team-parts.tsx";
import { readTeam } from "./team-view.server.ts";

type SentTeam = Sent<Route.LoaderArgs, unknown>;

const team = screen({
  view: ({ deps, context }: Shown<Route.LoaderArgs, unknown>) =>
    readTeam(deps, context.get(adminContext).admin),
});

const FORM = { failed: "Team Not Changed" };

const { loader, action } = team.page({
  invite: team.form({
    ...FORM,
    fields: inviteSchema,
    run: (input, { deps, actor }) => invite(deps, actor, forRole(input)),
    done: goOnWith("Invitation Sent"),
  }),
  again: team.form({
    ...FORM,
    fields: changeAccountSchema.pick({}),
    run: (_, sent) => inviteAgain(sent.deps, sent.actor, usernameOf(sent)),
    done: goOnWith("Invitation Sent"),
  }),
  change: team.form({
    ...FORM,
    fields: inviteSchema.pick({ role: true, counselor: true }),
    run: (input, sent) => changeAccount(sent.deps, sent.actor, usernameOf(sent), forRole(input)),
    done: goOnWith("Role Changed", wordsOfChange),
  }),
  take: accessForm(false, "Access Taken Away"),
  give: accessForm(true, "Access Given"),
});

export { action, loader };

function usernameOf({ typed }: SentTeam): string {
  return (typed.username ?? "").trim();
}

function accessForm(active: boolean, title: string) {
  return team.form({
    ...FORM,
    fields: changeAccountSchema.pick({}),
    run: (_, sent) => changeAccount(sent.deps, sent.actor, usernameOf(sent), { active }),
    done: goOnWith(title),
  });
}

/** Drops the captain that the form submits with other roles too. */
function forRole<T extends { role: string; counselor?: string | undefined }>(input: T): T {
  return input.role === "captain" ? input : { ...input, counselor: undefined };
}

function goOnWith(title: string, words = wordsOf) {
  return (account: Account, { context }: SentTeam) => {
    const isMe = account.id === context.get(adminContext).admin.id;
    return {
      // Owners who have changed their own account may have lost access to this page.
      to: isMe ? href("/admin") : href("/admin/team"),
      title,
      description: words(account),
    };
  };
}

function wordsOf({ username, email, passwordHash, inactiveSince }: Account): string {
  if (inactiveSince !== null) {
    return `${username} is signed out everywhere and cannot sign in.`;
  }
  return passwordHash === ""
    ? `The invitation of ${username} goes to ${email}.`
    : wordsOfChange({ username });
}

function wordsOfChange({ username }: Pick<Account, "username">): string {
  return `It counts for ${username} from now on.`;
}

export default function Team(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { accounts, counselors } = page.view;
  return (
    <>
      <PageHead title="Team" />
      <Problem refusal={page.refusal} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Part id="accounts-title" title="Accounts" className="p-3 sm:p-5">
          <ul className="mt-3 grid gap-3">
            {accounts.map((account) => (
              <AccountItem
                key={account.username}
                account={account}
                counselors={counselors}
                reply={page.typed.username === account.username ? page.replyTo("change") : null}
              />
            ))}
          </ul>
        </Part>
        <InvitePart
          // Empties the fields when the list has grown.
          key={accounts.length}
          counselors={counselors}
          reply={page.replyTo("invite")}
        />
      </div>
    </>
  );
}
