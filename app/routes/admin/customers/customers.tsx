/**
 * The list of customers, newest session first. A search is submitted by POST, to keep names and
 * addresses out of URLs.
 */
import { Form, href, Link } from "react-router";
import { searchSchema } from "#app/booking/list-fields.ts";
import { askedField, TextField } from "#app/components/field.tsx";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { BoardHead, EmptyList, Paging } from "#app/routes/admin/parts/list-parts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { readPage } from "#app/routes/admin/parts/views.server.ts";
import { readCustomerPage } from "#db/queries/customers.server.ts";
import type { Route } from "./+types/customers";
import { customerRow } from "./customer-view.server.ts";

function read({ db }: Deps, asked: Record<string, unknown>) {
  const query = searchSchema.safeParse(asked);
  const { q = "", page: wanted = 1 } = query.success ? query.data : {};
  const { rows, page } = readPage(wanted, (paging) => readCustomerPage(db, q, paging));
  return { q, page, customers: rows.map(customerRow), refusal: null };
}

export function loader({ url, context }: Route.LoaderArgs) {
  return read(context.get(depsContext), { page: url.searchParams.get("page") ?? "" });
}

export async function action({ request, context }: Route.ActionArgs) {
  return read(context.get(depsContext), Object.fromEntries(await request.formData()));
}

export default function Customers({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, "Search Failed");
  const { q, page, customers } = { ...loaderData, ...answer };
  return (
    <>
      <PageHead title="Customers">One customer is one email address.</PageHead>
      <Problem refusal={answer?.refusal} />
      <Form
        method="post"
        action={href("/admin/customers")}
        role="search"
        aria-label="Search customers"
        className="card mb-4 flex flex-wrap items-end gap-3 p-4"
      >
        <TextField
          key={q}
          field={askedField("q", q)}
          label="Search"
          type="search"
          placeholder="Name, email or phone"
          maxLength={100}
          autoComplete="off"
          className="min-w-0 flex-1 basis-60"
        />
        <button type="submit" className="button button-quiet">
          Search
        </button>
        {q && (
          <Link to={href("/admin/customers")} className="button button-quiet">
            Show all
          </Link>
        )}
      </Form>
      <section aria-label="List" className="card">
        {q && (
          <p role="status" className="break-words px-4 pt-3">
            {page.total === 1 ? "1 customer" : `${page.total} customers`} for <strong>“{q}”</strong>
            {page.total > page.size &&
              `. These are the ${page.size} with the newest sessions; please search for more of the name.`}
          </p>
        )}
        {customers.length === 0 ? (
          <EmptyList title={q ? "Nobody found" : "No customers yet"}>
            {q ? (
              "A part of the name, email or phone is enough."
            ) : (
              <>
                Whoever books is one, also if you{" "}
                <Link to={href("/admin/appointments/new")} className="link">
                  book for them
                </Link>
                .
              </>
            )}
          </EmptyList>
        ) : (
          <Rows customers={customers} />
        )}
        {!q && (
          <Paging page={page} path={href("/admin/customers")} search="" label="Pages of the list" />
        )}
      </section>
    </>
  );
}

function Rows({ customers }: { customers: ReturnType<typeof customerRow>[] }) {
  return (
    <table className="board">
      <BoardHead
        names={["Customer", "Email", "Phone", "Sessions", "Paid", "Last session"]}
        numbers={["Sessions", "Paid"]}
      />
      <tbody>
        {customers.map(({ id, name, email, phone, sessions, paid, last }) => (
          <tr key={id}>
            <th scope="row" className="loose min-w-32 max-md:block">
              <Link to={href("/admin/customers/:id", { id })} className="link">
                {name}
              </Link>
              <p className="font-normal text-muted md:hidden">
                {email}
                <br />
                {sessions} booked, {paid} paid, last {last}
              </p>
            </th>
            <td className="loose max-md:hidden">{email}</td>
            <td className="steady max-md:hidden">{phone}</td>
            <td className="number max-md:hidden">{sessions}</td>
            <td className="number max-md:hidden">{paid}</td>
            <td className="steady max-md:hidden">{last}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
