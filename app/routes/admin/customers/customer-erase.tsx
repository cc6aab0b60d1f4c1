/** Confirms erasing a customer: what is erased, what stays by law, and for how long. */
import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { z } from "zod";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import { copiesLiveDays } from "#app/jobs/backups.server.ts";
import { DueFirst, KeptByLaw } from "#app/routes/admin/parts/facts.tsx";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { SubmitButton, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { ButtonForm, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/customer-erase";
import { readErasure } from "./customer-view.server.ts";

const { loader, action } = screen({
  find: ({ deps, params }: Asked<Route.LoaderArgs>) => readErasure(deps, params.id),
  view: ({ deps, about }) => ({ ...about, copyDays: copiesLiveDays(deps.env) }),
}).one({
  fields: z.object({ intent: z.literal("erase") }),
  run: (_, { deps, actor, params }) => eraseCustomer(deps, actor, params.id),
  failed: "Erasing Failed",
  done: () => ({
    to: href("/admin/customers"),
    title: "Customer Erased",
    description: "Their personal data is gone. Invoices and credit notes stay, as the law demands.",
  }),
});

export { action, loader };

export default function EraseCustomer(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { customer, ahead, owed, unmatched, asking } = page.view;
  const { due, documents, kept, messages, copyDays } = page.view;
  const back = href("/admin/customers/:id", { id: customer.id });
  return (
    <>
      <PageHead title={`Erase ${customer.name}`}>{customer.email}</PageHead>
      <Problem refusal={page.refusal} />
      <div className="card max-w-text p-5">
        <h2 className="font-semibold">What happens</h2>
        <ul className="mt-1 list-disc pl-5">
          <li>
            Name, email, phone, state, country, company, student, a guardian’s confirmation,
            questions, answers, plan, a rating’s words, calls for help, notes and reasons are
            emptied in{" "}
            {customer.sessions === 1 ? "the booking" : `all ${customer.sessions} bookings`}, in what
            is known of their payments, and in the log. {messages}{" "}
            {messages === 1 ? "message is" : "messages are"} deleted. This is permanent.
          </li>
          <DueFirst due={due} />
          <li>
            Dates, captains, states, amounts and the stars of a rating stay without a name, for the
            figures.
          </li>
          <KeptByLaw kept={kept} documents={documents} />
          <li>
            If they replied STOP on WhatsApp, we then keep only a coded form of their number, so
            that we can honour their wish.
          </li>
          <li>
            Copies of the database made before{due.length > 0 && ", or before these have gone,"}{" "}
            live for at most {copyDays === 1 ? "one day" : `${copyDays} days`}. Whoever puts one
            back erases this customer again with it.
          </li>
          <li>No refund is made. A refund under way goes on.</li>
          <li>
            <strong>The customer is not notified</strong> of it.
          </li>
        </ul>
        <FirstOf links={ahead} verb="Cancel">
          <strong>There is a session to come.</strong> Please cancel it first. Then erase.
        </FirstOf>
        <FirstOf links={owed} verb="See to the">
          <strong>You still owe them money.</strong> Please wait until the refund has gone through,
          try it again, or pay it back by hand and mark it as paid back. Then erase.
        </FirstOf>
        <FirstOf links={unmatched} verb="See to">
          <strong>Money came from their email address or phone number without a booking.</strong>{" "}
          Please assign it to a booking or send it back. Then erase.
        </FirstOf>
        <FirstOf links={asking} verb="See to">
          <strong>They called for help and wait for an answer.</strong> Please see to it first. Then
          erase.
        </FirstOf>
        <ButtonForm sends={{ intent: "erase" }} className="mt-6 flex flex-wrap gap-3">
          <Link to={back} className="button button-quiet">
            Keep Customer
          </Link>
          {ahead.length + owed.length + unmatched.length + asking.length === 0 && (
            <SubmitButton pending="Erasing..." look="danger">
              Erase Permanently
            </SubmitButton>
          )}
        </ButtonForm>
      </div>
    </>
  );
}

interface FirstOfProps {
  links: readonly { to: string; words: string }[];
  verb: string;
  children: ReactNode;
}

function FirstOf({ links, verb, children }: FirstOfProps) {
  if (links.length === 0) return null;
  return (
    <div className="mt-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4 text-waiting-ink">
      <p>{children}</p>
      <ul>
        {links.map(({ to, words }) => (
          <li key={to}>
            <Link to={to} className="link inline-flex min-h-11 items-center">
              {verb} {words}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
