/** The parts of the account page: password, sessions, second factor. Each is a form of its own. */
import { type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { FieldErrors } from "#app/model/outcome.ts";
import { AdminField } from "#app/routes/admin/parts/text-field.tsx";
import { useAfterPress } from "#app/routes/admin/parts/use-after-press.ts";

export interface AccountSession {
  device: string;
  signedIn: string;
  lastSeen: string;
  isCurrent: boolean;
}

export interface TotpSetupView {
  secret: string;
  qr: { size: number; path: string };
}

export function PasswordPart({
  errors,
  refused,
}: {
  errors: FieldErrors | undefined;
  refused: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  const pending = useNavigation().formData?.get("intent") === "password";
  useAfterPress(pending, refused, () => form.current?.reset());
  return (
    <Part title="Password" text="A new password ends your sessions on other devices.">
      <Form ref={form} method="post" noValidate className="grid max-w-112 gap-4">
        <CurrentPassword errors={errors} />
        <AdminField
          name="newPassword"
          label="New password"
          hint="At least 6 characters; a sentence is better."
          type="password"
          autoComplete="new-password"
          maxLength={200}
          errors={errors}
        />
        <AdminField
          name="confirmPassword"
          label="Confirm new password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          errors={errors}
        />
        <Press intent="password">Change Password</Press>
      </Form>
    </Part>
  );
}

function CurrentPassword({ errors }: { errors: FieldErrors | undefined }) {
  return (
    <AdminField
      name="currentPassword"
      label="Current password"
      type="password"
      autoComplete="current-password"
      maxLength={200}
      errors={errors}
    />
  );
}

export function SessionsPart({
  sessions,
  errors,
}: {
  sessions: readonly AccountSession[];
  errors: FieldErrors | undefined;
}) {
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
        <Form method="post" noValidate className="mt-4 grid max-w-112 gap-4">
          <CurrentPassword errors={errors} />
          <Press intent="sessions" quiet>
            End Other Sessions
          </Press>
        </Form>
      )}
    </Part>
  );
}

/** Addresses for the captains' own calendars: each shows one captain's paid sessions. */
export function FeedsPart({ feeds }: { feeds: readonly { name: string; url: string }[] }) {
  return (
    <Part
      title="Captains' calendars"
      text="Give each captain their address to subscribe to. Whoever has it can see the sessions; a new address ends the one before."
    >
      <ul className="grid gap-2">
        {feeds.map((feed) => (
          <li key={feed.name} className="rounded-sm bg-sunken px-3 py-2">
            <p className="font-semibold">{feed.name}</p>
            <p className="break-all text-sm text-muted">{feed.url}</p>
            <Form method="post" className="mt-2">
              <input type="hidden" name="counselor" value={feed.name} />
              <Press intent="new-feed-address" quiet>
                New Address <span className="sr-only">for {feed.name}</span>
              </Press>
            </Form>
          </li>
        ))}
      </ul>
    </Part>
  );
}

export interface BackupView {
  /** Worded; null if there was none yet. */
  last: string | null;
  isLate: boolean;
}

export function BackupPart({ last, isLate }: BackupView) {
  return (
    <Part title="Backups" text="Checked copies of all data, kept beside it on the server.">
      <p className={isLate ? "rounded-sm bg-waiting-soft p-3 text-waiting-ink" : ""}>
        {last === null ? "There is no backup yet." : `The last good one: ${last}.`}
        {isLate && " It should be newer: the mail to the admins and the log say why it is not."}
      </p>
    </Part>
  );
}

interface SecondFactorProps {
  isOn: boolean;
  recoveryCodesLeft: number;
  setup: TotpSetupView | null;
  /** Just made: shown this once. */
  recoveryCodes: readonly string[] | null;
  errors: FieldErrors | undefined;
}

export function SecondFactorPart(props: SecondFactorProps) {
  const { isOn, recoveryCodesLeft, setup, recoveryCodes, errors } = props;
  return (
    <Part
      title="Second factor"
      text="A code of an authenticator app on your phone, asked for after the password."
    >
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      {isOn ? (
        <Form method="post" noValidate className="grid max-w-112 gap-4">
          <p>
            <strong className="text-go">On.</strong> Recovery codes left: {recoveryCodesLeft}.
          </p>
          <CurrentPassword errors={errors} />
          <AdminField
            name="totp"
            label="Code of the app, or a recovery code"
            autoComplete="one-time-code"
            maxLength={40}
            errors={errors}
          />
          <Press intent="totp-off" quiet>
            Turn Off
          </Press>
        </Form>
      ) : setup ? (
        <SetUp setup={setup} errors={errors} />
      ) : (
        <Form method="post">
          <p className="mb-3">
            <strong>Off.</strong>
          </p>
          <Press intent="totp-begin">Set Up</Press>
        </Form>
      )}
    </Part>
  );
}

function SetUp({ setup, errors }: { setup: TotpSetupView; errors: FieldErrors | undefined }) {
  const { size, path } = setup.qr;
  return (
    <Form method="post" noValidate className="grid max-w-112 gap-4">
      <ol className="list-decimal pl-5">
        <li>Scan this code with your authenticator app.</li>
        <li>Enter your password and the six digits that the app shows.</li>
      </ol>
      <svg
        className="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="QR code"
        shapeRendering="crispEdges"
      >
        <path d={path} fill="currentColor" />
      </svg>
      <p>
        Or type this key into the app:{" "}
        <span className="break-all font-mono font-semibold">{setup.secret}</span>
      </p>
      <CurrentPassword errors={errors} />
      <AdminField
        name="totp"
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        errors={errors}
      />
      <Press intent="totp-confirm">Turn On</Press>
    </Form>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const block = useRef<HTMLElement>(null);
  // The button that made them is gone, and nobody is to miss them.
  useEffect(() => block.current?.focus(), []);
  return (
    <section
      ref={block}
      tabIndex={-1}
      aria-label="Your recovery codes"
      className="mb-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4"
    >
      <p className="font-semibold">Your recovery codes: they are shown only now.</p>
      <p>Keep them where your phone is not. Each signs you in once without the app.</p>
      <ul className="mt-2 grid gap-1 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </section>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card p-5">
      <h2 className="display text-xl">{title}</h2>
      <p className="mb-4 text-muted">{text}</p>
      {children}
    </section>
  );
}

function Press({
  intent,
  quiet = false,
  children,
}: {
  intent: string;
  quiet?: boolean;
  children: ReactNode;
}) {
  const pending = useNavigation().formData?.get("intent") === intent;
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      disabled={pending}
      aria-busy={pending || undefined}
      className={`button justify-self-start ${quiet ? "button-quiet" : "button-primary"}`}
    >
      {children}
    </button>
  );
}
