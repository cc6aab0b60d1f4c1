/**
 * What the field in the head of every page finds. It is asked by POST: names and phone numbers stand
 * in no address.
 */
import type { ReactNode } from "react";
import { data, Link, redirect } from "react-router";
import { z } from "zod";
import { may } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { ContactLinks } from "#app/routes/admin/parts/facts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/find";
import { type Found, find } from "./find-view.server.ts";

const findSchema = z.object({ q: z.string().trim().min(1).max(100) });

const NOTHING_ASKED = {
  title: "Nothing Found",
  message: "Please enter a name, a phone number, an email address, an ID or a number.",
};

export function loader() {
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = findSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!asked.success) return data({ found: null, refusal: NOTHING_ASKED }, { status: 400 });
  const found = find(context.get(depsContext), asked.data.q, {
    documents: may(context, "business"),
    unmatched: may(context, "refunds"),
  });
  return found.only ? redirect(found.only, 303) : { found, refusal: null };
}

export default function Find({ actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, "Search Failed");
  const found = answer?.found ?? null;
  return (
    <>
      <PageHead title="Quick find">
        The field at the top finds a customer by name, phone or email, a booking by its ID or the
        last 6 or 8 characters of it, an invoice or credit note by its number, and a payment by the
        provider’s ID.
      </PageHead>
      <Problem refusal={answer?.refusal} />
      {found && (
        <p role="status" className="mb-4 break-words">
          {countWords(found)} for <strong>“{found.q}”</strong>
          {found.hasMore && ". These are the newest bookings; please search for more of the name."}
        </p>
      )}
      {found && <Results found={found} />}
    </>
  );
}

function countWords({ bookings, documents, payments, customers, hasMore }: Found): string {
  const hits = { customer: customers, booking: bookings, document: documents, payment: payments };
  const words = Object.entries(hits).flatMap(([word, { length }]) =>
    length === 0 ? [] : `${length} ${word}${length === 1 ? "" : "s"}`,
  );
  // The customers are those of the newest bookings.
  const least = hasMore && customers.length > 0 ? "At least " : "";
  return least + words.join(", ") || "Nothing found";
}

function Results({ found }: { found: Found }) {
  const { bookings, documents, payments, customers } = found;
  if (bookings.length + documents.length + payments.length + customers.length === 0) {
    return (
      <div className="card p-6">
        <p>
          Erased and deleted customers cannot be found by name. A part of a name or number is
          enough: try fewer letters, or the last digits of the phone number.
        </p>
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <Group title="Bookings" hits={bookings.length}>
        {bookings.map((booking) => (
          <Hit key={booking.id} {...booking} words={`${booking.name}, ${booking.words}`} />
        ))}
      </Group>
      <Group title="Documents" hits={documents.length}>
        {documents.map((document) => (
          <Hit key={document.title} {...document}>
            {document.pdf && (
              <a href={document.pdf} target="_blank" rel="noreferrer" className="link">
                Open the PDF
              </a>
            )}
          </Hit>
        ))}
      </Group>
      <Group title="Payments" hits={payments.length}>
        {payments.map((payment) => (
          <Hit key={payment.title} title={payment.title} words={payment.words} to={payment.to} />
        ))}
      </Group>
      <Group title="Customers" hits={customers.length}>
        {customers.map(({ name, email, phone, bookings: own }) => (
          <li key={email} className="card min-w-0 p-4">
            <h3 className="break-words text-lg font-semibold">{name}</h3>
            <ContactLinks email={email} phone={phone} />
            <ul className="mt-2 grid gap-1">
              {own.map(({ id, to, title, words }) => (
                <li
                  key={id}
                  className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line py-1"
                >
                  <Link to={to} className="link">
                    {title}
                  </Link>
                  <span className="text-muted">{words}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </Group>
    </div>
  );
}

function Group({ title, hits, children }: { title: string; hits: number; children: ReactNode }) {
  if (hits === 0) return null;
  return (
    <section>
      <h2 className="display mb-2 text-xl">{title}</h2>
      <ul className="grid gap-3 lg:grid-cols-2 lg:items-start">{children}</ul>
    </section>
  );
}

interface HitProps {
  title: string;
  words: string;
  to: string | null;
  children?: ReactNode;
}

function Hit({ title, words, to, children }: HitProps) {
  return (
    <li className="card min-w-0 p-4">
      <p className="break-words font-semibold">
        {to ? (
          <Link to={to} className="link">
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      <p className="break-words text-muted">{words}</p>
      {children}
    </li>
  );
}
