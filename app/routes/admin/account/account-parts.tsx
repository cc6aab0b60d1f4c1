/** The parts of the account page: password, sessions, the captains' calendars, backups. */
import { useRef } from "react";
import { useNavigation } from "react-router";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton, useAfterSubmit } from "#app/routes/admin/parts/form-page.tsx";
import { CurrentPassword, Part, PasswordPair } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/account";

type Loaded = Route.ComponentProps["loaderData"]["view"];

export function PasswordPart({ reply, refused }: { reply: Reply | null; refused: boolean }) {
  const ref = useRef<HTMLFormElement>(null);
  const pending = useNavigation().formData?.get("intent") === "password";
  useAfterSubmit(pending, refused, () => ref.current?.reset());
  return (
    <Part title="Password" text="A new password ends your sessions on other devices.">
      <PageForm id="password" reply={reply} ref={ref} className="grid max-w-112 gap-4">
        <CurrentPassword />
        <PasswordPair labels={["New password", "Confirm new password"]} />
        <SubmitButton intent="password" className="justify-self-start">
          Change Password
        </SubmitButton>
      </PageForm>
    </Part>
  );
}

export function SessionsPart({
  sessions,
  reply,
}: Pick<Loaded, "sessions"> & { reply: Reply | null }) {
  return (
    <Part title="Sessions" text="Where you are signed in right now.">
      <ul className="grid gap-2">
        {sessions.map((session) => (
          <li
            key={`${session.signedIn} ${session.lastSeen} ${session.device}`}
            className="rounded-sm bg-sunken px-3 py-2"
          >
            <p className="font-semibold">
              {session.device}
              {session.isCurrent && <span className="text-go"> (this one)</span>}
            </p>
            <p className="figures text-sm text-muted">
              Signed in {session.signedIn}, last seen {session.lastSeen}
            </p>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <PageForm id="sessions" reply={reply} className="mt-4 grid max-w-112 gap-4">
          <CurrentPassword />
          <SubmitButton intent="sessions" look="quiet" className="justify-self-start">
            End Other Sessions
          </SubmitButton>
        </PageForm>
      )}
    </Part>
  );
}

/** Calendar addresses for captains: each shows one captain's paid sessions. */
export function FeedsPart({ feeds }: Pick<Loaded, "feeds">) {
  const isOwn = useMay("ownSessions");
  return (
    <Part
      title={isOwn ? "Your calendar" : "Captains' calendars"}
      text={`${isOwn ? "Subscribe to this address in the calendar of your phone." : "Give each captain their address to subscribe to."} Whoever has it can see the sessions; a new address ends the one before.`}
    >
      <ul className="grid gap-2">
        {feeds.map((feed) => (
          <li key={feed.name} className="rounded-sm bg-sunken px-3 py-2">
            <p className="font-semibold">{feed.name}</p>
            <p className="break-all text-sm text-muted">{feed.url}</p>
            <ButtonForm sends={{ counselor: feed.name }} className="mt-2">
              <SubmitButton intent="new-feed-address" look="quiet" className="justify-self-start">
                New Address <span className="sr-only">for {feed.name}</span>
              </SubmitButton>
            </ButtonForm>
          </li>
        ))}
      </ul>
    </Part>
  );
}

export function BackupPart({ local, offSite }: NonNullable<Loaded["backup"]>) {
  return (
    <Part title="Backups" text="Checked copies of all data, on the server and away from it.">
      <LastCopy place="On the server" {...local} />
      {offSite ? (
        <LastCopy place="Off the machine" {...offSite} />
      ) : (
        <p className="mt-2 rounded-sm bg-waiting-soft p-3 text-waiting-ink">
          No copy leaves the machine. If the machine is lost, so is everything. The variables that
          begin with BACKUP_S3 say where copies go.
        </p>
      )}
    </Part>
  );
}

function LastCopy({
  place,
  last,
  isLate,
}: NonNullable<Loaded["backup"]>["local"] & { place: string }) {
  return (
    <p className={isLate ? "rounded-sm bg-waiting-soft p-3 text-waiting-ink" : ""}>
      {`${place}: ${last === null ? "there is no copy yet" : `the last good copy is ${last}`}.`}
      {isLate && " It should be newer: the mail to the admins and the log say why it is not."}
    </p>
  );
}
