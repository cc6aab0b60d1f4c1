/** One account with its actions, and the form that invites another. */
import type { Role } from "#app/model/actor.ts";
import { wording } from "#app/model/unknown-code.ts";
import { LineField, OptionsField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import type { AccountView } from "./team-view.server.ts";

const roleWords = wording<Role>({ owner: "Owner", staff: "Staff", captain: "Captain" });

const ROLE_OPTIONS = (["staff", "captain", "owner"] as const).map(
  (role) => [role, roleWords(role)] as const,
);

interface ItemProps {
  account: AccountView;
  counselors: readonly string[];
  reply: Reply | null;
}

export function AccountItem({ account, counselors, reply }: ItemProps) {
  const { username, email, role, counselor, access, state, isMe } = account;
  return (
    <li className="rounded-sm bg-sunken px-3 py-2">
      <h3 className="font-semibold wrap-anywhere">
        {username}
        {isMe && <span className="font-normal text-go"> (you)</span>}
      </h3>
      <p className="wrap-anywhere">
        {roleWords(role)}
        {counselor && `: ${counselor}`}
      </p>
      <p className="text-sm text-muted wrap-anywhere">{email}</p>
      <p className={`text-sm ${access === "given" ? "text-muted" : "font-semibold"}`}>{state}</p>
      {account.notMailed && (
        <p className="text-sm font-semibold text-stop">
          The mail could not be sent. Please check the address, and send the invitation anew.
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {account.neverSignedIn && (
          <AccountButton username={username} intent="again" words="Send Invitation Anew" />
        )}
        {access === "given" && (
          <AccountButton username={username} intent="take" words="Take Away Access" />
        )}
        {access === "invited" && (
          <AccountButton username={username} intent="take" words="Withdraw Invitation" />
        )}
        {access === "none" && !account.neverSignedIn && (
          <AccountButton username={username} intent="give" words="Give Access Again" />
        )}
      </div>
      <details open={Boolean(reply?.error)} className="mt-1">
        <summary className="link flex min-h-11 w-fit cursor-pointer items-center">
          Change role<span className="sr-only"> of {username}</span>
        </summary>
        <PageForm
          // Fills the form again when the role has changed.
          key={`${role} ${counselor}`}
          id={`account-${username}`}
          reply={reply}
          filled={{ role, counselor: counselor ?? "" }}
          sends={{ username }}
          preventScrollReset
          className="grid gap-3 pb-2"
        >
          <RoleFields counselors={counselors} />
          <SubmitButton intent="change" look="quiet" className="justify-self-start">
            Change Role<span className="sr-only"> of {username}</span>
          </SubmitButton>
        </PageForm>
      </details>
    </li>
  );
}

interface AccountButtonProps {
  username: string;
  intent: string;
  words: string;
}

function AccountButton({ username, intent, words }: AccountButtonProps) {
  return (
    <ButtonForm sends={{ username }} preventScrollReset>
      <SubmitButton intent={intent} look="quiet" className="justify-self-start">
        {words}
        <span className="sr-only">: {username}</span>
      </SubmitButton>
    </ButtonForm>
  );
}

export function InvitePart({ counselors, reply }: Omit<ItemProps, "account">) {
  return (
    <Part
      title="Invite"
      text="We mail a link that works once, for 72 hours. With it they set a password of their own."
    >
      <PageForm
        id="invite"
        reply={reply}
        filled={{ role: "staff" }}
        className="grid max-w-112 gap-4"
      >
        <LineField
          name="username"
          label="Username"
          hint="What they sign in with; the activity log names them by it."
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
        />
        <LineField name="email" label="Email" type="email" maxLength={254} />
        <RoleFields counselors={counselors} />
        <SubmitButton intent="invite" className="justify-self-start">
          Send Invitation
        </SubmitButton>
      </PageForm>
    </Part>
  );
}

function RoleFields({ counselors }: { counselors: readonly string[] }) {
  return (
    <>
      <OptionsField
        name="role"
        label="Role"
        hint="Staff: bookings and customers. Captain: the own sessions and times. Owner: all, with money, catalogue and team."
        options={ROLE_OPTIONS}
      />
      <OptionsField
        name="counselor"
        label="Captain"
        hint="Whose sessions a captain's account sees; other roles need none."
        options={[["", "None"], ...counselors.map((name) => [name, name] as const)]}
      />
    </>
  );
}
