/** The second factor: off, being set up, on. */
import { useEffect, useRef } from "react";
import { InputField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { CurrentPassword, Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import type { TotpSetupView } from "./account-view.server.ts";

interface SecondFactorProps {
  isOn: boolean;
  recoveryCodesLeft: number;
  setup: TotpSetupView | null;
  /** New ones, shown only once. */
  recoveryCodes: readonly string[] | null;
  reply: Reply | null;
}

export function SecondFactorPart(props: SecondFactorProps) {
  const { isOn, recoveryCodesLeft, setup, recoveryCodes, reply } = props;
  return (
    <Part
      title="Second factor"
      text="A code of an authenticator app on your phone, asked for after the password."
    >
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      {isOn ? (
        <TurnOff codesLeft={recoveryCodesLeft} reply={reply} />
      ) : setup ? (
        <SetUp setup={setup} reply={reply} />
      ) : (
        <ButtonForm>
          <p className="mb-3">
            <strong>Off.</strong>
          </p>
          <SubmitButton intent="totp-begin" className="justify-self-start">
            Set Up
          </SubmitButton>
        </ButtonForm>
      )}
    </Part>
  );
}

function TurnOff({ codesLeft, reply }: { codesLeft: number; reply: Reply | null }) {
  return (
    <PageForm id="totp-off" reply={reply} className="grid max-w-112 gap-4">
      <p>
        <strong className="text-go">On.</strong> Recovery codes left: {codesLeft}.
      </p>
      <CurrentPassword />
      <InputField
        name="totp"
        label="Code of the app, or a recovery code"
        autoComplete="one-time-code"
        maxLength={40}
      />
      <SubmitButton intent="totp-off" look="quiet" className="justify-self-start">
        Turn Off
      </SubmitButton>
    </PageForm>
  );
}

function SetUp({ setup, reply }: { setup: TotpSetupView; reply: Reply | null }) {
  const { size, path } = setup.qr;
  return (
    <PageForm id="totp-on" reply={reply} className="grid max-w-112 gap-4">
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
      <CurrentPassword />
      <InputField
        name="totp"
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
      />
      <SubmitButton intent="totp-confirm" className="justify-self-start">
        Turn On
      </SubmitButton>
    </PageForm>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const block = useRef<HTMLElement>(null);
  // The clicked button is gone, and nobody should miss the codes.
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
