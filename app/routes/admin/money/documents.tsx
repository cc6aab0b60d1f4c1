/** Invoices and credit notes of a month, including those of deleted appointments. */
import type { ReactNode } from "react";
import { href, useNavigation } from "react-router";
import { SelectField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icons.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { faultOf, stateName } from "#app/documents/document-facts.ts";
import { dismissRestored, readRestored } from "#app/documents/issue.server.ts";
import { adminDate, keptUntil } from "#app/model/dates.ts";
import { formatAmount, sumOfTax } from "#app/model/money.ts";
import { keptWords } from "#app/model/wording.ts";
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import { AskForm, BoardHead, EmptyList } from "#app/routes/admin/parts/list-parts.tsx";
import { ButtonForm, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { unansweredRefusal } from "#app/routes/admin/parts/submission.ts";
import { documentSlug, numbersWords, RESTORED_ID } from "#app/routes/admin/parts/words.ts";
import { listDocuments } from "#db/queries/documents.server.ts";
import type { Route } from "./+types/documents";
import { askedMonth, monthOptions } from "./documents-month.server.ts";

export function loader({ url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const { month, errors } = askedMonth(url, deps.now());
  const documents = listDocuments(deps.db, month.from, month.to);
  const real = documents.filter(({ sample }) => !sample);
  // Samples are summed only where the month has nothing else.
  const counted = real.length > 0 ? real : documents;
  const sum = (kind: string) =>
    counted
      .filter((document) => document.kind === kind)
      .reduce((total, document) => total + document.totalPaise, 0);
  const copy = readRestored(deps.db);
  return {
    restored: copy && { numbers: numbersWords(copy), seriesLetter: copy.seriesLetter },
    month: month.value,
    kept: keptWords(`for this month: ${adminDate(keptUntil(month.to))}`),
    errors,
    months: monthOptions(deps, month.value),
    counted: counted.length,
    invoiced: formatAmount(sum("invoice")),
    credited: formatAmount(sum("credit_note")),
    documents: documents.map((document) => ({
      number: document.number,
      slug: documentSlug(document.number),
      kind: document.kind === "invoice" ? "Invoice" : "Credit note",
      sample: document.sample,
      corrects: document.invoiceNumber,
      date: adminDate(document.onDate),
      customer: document.customerName,
      state: stateName(document.stateCode),
      taxable: formatAmount(document.taxablePaise),
      tax: formatAmount(sumOfTax(document.tax)),
      total: formatAmount(document.totalPaise),
      fault: faultOf(document),
    })),
  };
}

/** The page's only form: marks a restored backup as looked through. */
export const action = clickAction(({ deps }) => {
  dismissRestored(deps);
  return { title: "Restore Looked Through" };
});

export default function Documents({ loaderData, actionData }: Route.ComponentProps) {
  const { documents, counted, month, kept, restored } = loaderData;
  return (
    <>
      <PageHead title="Documents">
        Every invoice and credit note stays here, also when its appointment was deleted, and nothing
        is deleted by itself. Tax law wants them kept {kept}.
      </PageHead>
      <Problem refusal={unansweredRefusal(actionData, "Restore Not Marked")} />
      {restored && <RestoredNotice {...restored} />}
      <AskForm
        name="month"
        value={month}
        button="Show"
        beside={
          <>
            {documents.length > 0 && (
              <Download to={`${href("/admin/documents/month")}?month=${month}`}>
                Download the month (PDF)
              </Download>
            )}
            <Download to={`${href("/admin/documents/gst")}?month=${month}`}>
              For the accountant (Excel)
            </Download>
            <Download to={`${href("/admin/documents/gst")}?month=${month}&format=csv`}>
              Journal (CSV)
            </Download>
          </>
        }
      >
        {(field) => (
          <SelectField
            field={{ ...field, errors: loaderData.errors }}
            label="Month"
            options={loaderData.months}
            className="min-w-48"
          />
        )}
      </AskForm>
      <section aria-label="Documents of the month" className="card">
        {documents.length === 0 ? (
          <EmptyList title="No documents in this month">
            An invoice comes by itself with each payment, a credit note with each refund.
          </EmptyList>
        ) : (
          <>
            <p className="figures px-4 pt-3">
              {counted === 1 ? "1 document" : `${counted} documents`}, invoiced{" "}
              <strong>{loaderData.invoiced}</strong>, credited{" "}
              <strong>{loaderData.credited}</strong>
              {counted < documents.length && ", samples not counted"}
            </p>
            <table className="board">
              <BoardHead
                names={[
                  "Number",
                  "Date",
                  "Kind",
                  "Customer",
                  "Place of supply",
                  "Taxable",
                  "GST",
                  "Total",
                ]}
                numbers={["Taxable", "GST", "Total"]}
              />
              <tbody>
                {documents.map((document) => (
                  <tr key={document.number}>
                    <th scope="row" data-label="Number" className="steady">
                      <a
                        href={href("/admin/documents/:number", { number: document.slug })}
                        target="_blank"
                        rel="noreferrer"
                        className="link"
                      >
                        {document.number}
                      </a>
                    </th>
                    <td data-label="Date" className="steady">
                      {document.date}
                    </td>
                    <td data-label="Kind">
                      <div>
                        {document.kind}
                        {document.sample && " (sample)"}
                        {document.corrects && (
                          <div className="wrap-anywhere text-muted">of {document.corrects}</div>
                        )}
                        {document.fault && <div className="text-stop">{document.fault}</div>}
                      </div>
                    </td>
                    <td data-label="Customer" className="loose min-w-20 lg:min-w-32">
                      {document.customer}
                    </td>
                    <td data-label="Place of supply">{document.state}</td>
                    <td data-label="Taxable" className="number">
                      {document.taxable}
                    </td>
                    <td data-label="GST" className="number">
                      {document.tax}
                    </td>
                    <td data-label="Total" className="number font-semibold">
                      {document.total}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </section>
    </>
  );
}

function Download({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="button button-primary">
      <Icon name="download" />
      {children}
    </a>
  );
}

type RestoredView = NonNullable<Route.ComponentProps["loaderData"]["restored"]>;

function RestoredNotice({ numbers, seriesLetter }: RestoredView) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <section id={RESTORED_ID} aria-labelledby="restored-title" className="card mb-4 p-4">
      <h2 id="restored-title" className="display text-lg">
        Restored From a Copy
      </h2>
      <p className="mt-2">{numbers}. They are not in this list.</p>
      <p className="mt-2">
        Look through the mails sent from then until the restore, and keep the documents in them for
        your accountant. New numbers bear the letters {seriesLetter}, so none is given twice.
      </p>
      <ButtonForm sends={{ back: href("/admin/documents") }} className="mt-3">
        <button type="submit" disabled={pending} className="button button-quiet">
          I Have Looked Through Them
        </button>
      </ButtonForm>
    </section>
  );
}
