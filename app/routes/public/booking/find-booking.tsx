/** Mails people the links to their bookings. The page never says whether there are any. */
import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { useLayoutEffect, useRef } from "react";
import { data, href, redirect, useNavigation } from "react-router";
import { findBookingSchema } from "#app/booking/change-fields.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { EmailField, TextField } from "#app/components/field.tsx";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import { OnlineForm } from "#app/routes/public/parts/online-form.tsx";
import {
  businessView,
  PublicPage,
  privateMeta,
  WriteOrCall,
} from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/find-booking";
import { DoneNotice } from "./notices.tsx";

export const handle = { hydrate: true };

export function loader({ url, context }: Route.LoaderArgs) {
  const { env } = context.get(depsContext);
  return { business: businessView(env), asked: url.searchParams.has("sent") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: findBookingSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  const { address } = context.get(clientContext);
  const tooMany = await mailBookingLinks(context.get(depsContext), submission.value, address);
  if (tooMany) {
    const reply = submission.reply({ fieldErrors: { email: [tooMany.message] } });
    return data(reply, { status: 429, headers: retryHeaders(tooMany) });
  }
  return redirect(`${href("/find-booking")}?sent`, 303);
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Find your booking");

export default function FindBooking({ loaderData, actionData }: Route.ComponentProps) {
  const { business, asked } = loaderData;
  const sent = asked && !actionData;
  const sending = useNavigation().formMethod === "POST";
  const [form, fields] = useForm<{ email: string; phone: string }>({
    id: "find",
    lastResult: actionData ?? null,
  });
  const formRef = useRef<HTMLFormElement>(null);
  // Removes earlier errors once the mail is sent.
  useLayoutEffect(() => {
    if (sent) formRef.current?.reset();
  }, [sent]);
  return (
    <PublicPage business={business}>
      <div className="mx-auto max-w-text px-4 py-10 md:px-6 md:py-14">
        {sent && (
          <div className="mb-8">
            <DoneNotice
              title="Please check your inbox"
              text="If there are bookings under what you entered, the links are on their way to the email address of each booking. This can take a few minutes. Please look in your spam folder too."
            />
          </div>
        )}
        <h1 className="display text-2xl md:text-3xl">Find your booking</h1>
        <p className="mt-3 text-lg text-muted">
          Enter the email address or the phone number you booked with. We send the links to all your
          coming sessions, and to those of the last 90 days, to the email address of each booking.
        </p>
        <OnlineForm
          {...getFormProps(form)}
          ref={formRef}
          method="post"
          action={href("/find-booking")}
          noValidate
          className="mt-8 grid gap-5"
        >
          <EmailField field={fields.email} label="Email" />
          <TextField
            field={fields.phone}
            label="Or phone number"
            hint="We send at most one mail a minute and three a day."
            type="tel"
            autoComplete="tel"
            maxLength={32}
          />
          <button type="submit" disabled={sending} className="button button-primary sm:w-fit">
            {sending ? "Sending..." : "Send me the links"}
          </button>
        </OnlineForm>
        <p className="mt-8 text-muted">
          If no mail comes, please <WriteOrCall business={business} />.
        </p>
      </div>
    </PublicPage>
  );
}
