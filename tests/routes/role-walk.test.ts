/** Every route behind the gates, asked for in each role, against the contract's table; in none: admin-gate.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import { subjectOf } from "#app/auth/route-access.ts";
import { createSession } from "#app/auth/session.server.ts";
import type { Role } from "#app/model/actor.ts";
import routes from "#app/routes.ts";
import { insertAdmin } from "#db/queries/admins.server.ts";
import type { ApiAnswer } from "#tests/helpers/api-client.ts";
import { bookAndPay, sessionCookie, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

/** The rows of "Who may what": each with the roles that may. */
const ROWS = {
  look: ["owner", "staff", "captain"],
  attendance: ["owner", "staff", "captain"],
  plan: ["owner", "staff", "captain"],
  times: ["owner", "staff", "captain"],
  book: ["owner", "staff"],
  cancel: ["owner", "staff"],
  papers: ["owner", "staff"],
  refund: ["owner"],
  customers: ["owner", "staff"],
  /** A captain's own area is nobody else's. */
  own: ["captain"],
  business: ["owner"],
  owners: ["owner"],
  offer: ["owner", "staff", "captain"],
  account: ["owner", "staff", "captain"],
} as const satisfies Record<string, readonly Role[]>;

type Row = keyof typeof ROWS;

/** Of a page, its reading and its form; of a call, each of its methods. */
const TABLE: Record<string, Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", Row>>> = {
  "admin/calendar": { GET: "look" },
  "admin/appointments/new": { GET: "book", POST: "book" },
  "admin/appointments/:id": { GET: "book", POST: "book" },
  "admin/appointments/:id/reschedule": { GET: "book", POST: "book" },
  "admin/appointments/:id/edit": { GET: "book", POST: "book" },
  "admin/appointments/:id/cancel": { GET: "cancel", POST: "cancel" },
  "admin/appointments/:id/payment": { GET: "cancel", POST: "cancel" },
  "admin/appointments/:id/hold": { GET: "book", POST: "book" },
  "admin/appointments/:id/refund": { GET: "refund", POST: "refund" },
  "admin/appointments/:id/delete": { GET: "business", POST: "business" },
  "admin/appointments/:id/keep": { POST: "book" },
  "admin/appointments/:id/attendance": { POST: "attendance" },
  "admin/appointments/:id/help": { POST: "attendance" },
  "admin/appointments/:id/help/:side": { POST: "cancel" },
  "admin/appointments/:id/plan": { GET: "plan", POST: "plan" },
  "admin/appointments/:id/invoice": { GET: "papers" },
  "admin/refunds/:id/settle": { GET: "refund", POST: "refund" },
  "admin/find": { GET: "book", POST: "book" },
  "admin/slots": { GET: "times", POST: "times" },
  "admin/schedule": { GET: "times" },
  "admin/schedule/:key": { GET: "times", POST: "times" },
  "admin/schedule/:key/busy-calendar": { GET: "times", POST: "times" },
  "admin/unmatched": { GET: "refund", POST: "refund" },
  "admin/documents": { GET: "business" },
  "admin/documents/month": { GET: "business" },
  "admin/documents/gst": { GET: "business" },
  "admin/documents/:number": { GET: "business" },
  "admin/export": { GET: "business" },
  "admin/catalogue": { GET: "owners", POST: "owners" },
  "admin/catalogue/new": { GET: "owners", POST: "owners" },
  "admin/catalogue/packages/:minutes/questions": { GET: "owners", POST: "owners" },
  "admin/catalogue/captains/:key": { GET: "owners", POST: "owners" },
  "admin/catalogue/captains/:key/portrait": { GET: "owners", POST: "owners" },
  "admin/first-steps": { POST: "owners" },
  "admin/settings": { GET: "owners", POST: "owners" },
  "admin/settings/logo": { GET: "owners", POST: "owners" },
  "admin/activity": { GET: "owners" },
  "admin/customers": { GET: "customers", POST: "customers" },
  "admin/customers/:id": { GET: "customers", POST: "customers" },
  "admin/customers/:id/erase": { GET: "business", POST: "business" },
  "admin/customers/:id/data": { GET: "business" },
  "admin/insights": { GET: "business" },
  "admin/ratings": { GET: "owners", POST: "owners" },
  "admin/sessions": { GET: "own" },
  "admin/sessions/:id": { GET: "own", POST: "own" },
  "admin/sessions/:id/host": { GET: "own" },
  "admin/failures": { POST: "owners" },
  "admin/team": { GET: "owners", POST: "owners" },
  "admin/account": { GET: "account", POST: "account" },

  "api/admin/session": { POST: "account" },
  "api/admin/appointments": { GET: "look", POST: "book" },
  "api/admin/appointments/:id": { GET: "look", PATCH: "attendance", DELETE: "business" },
  "api/admin/appointments/:id/reschedule": { PUT: "book" },
  "api/admin/appointments/:id/cancel": { POST: "cancel" },
  "api/admin/appointments/:id/payment": { POST: "cancel" },
  "api/admin/appointments/:id/hold": { POST: "book" },
  "api/admin/appointments/:id/refund": { POST: "refund" },
  "api/admin/appointments/:id/attendance": { PUT: "attendance" },
  "api/admin/appointments/:id/plan": { PUT: "plan" },
  "api/admin/ratings": { GET: "owners" },
  "api/admin/ratings/:id": { PUT: "owners" },
  "api/admin/messages/:id/resend": { POST: "book" },
  "api/admin/refunds/:id/retry": { POST: "refund" },
  "api/admin/refunds/:id/settle": { POST: "refund" },
  "api/admin/catalogue": { GET: "offer" },
  "api/admin/counselors": { POST: "owners" },
  "api/admin/counselors/:key": { PUT: "owners" },
  "api/admin/counselors/:key/portrait": { PUT: "owners" },
  "api/admin/counselors/:key/hours": { GET: "times", PUT: "times" },
  "api/admin/counselors/:key/busy-calendar": { GET: "times", PUT: "times" },
  "api/admin/counselors/:key/busy-calendar/refresh": { POST: "times" },
  "api/admin/packages/:minutes": { PUT: "owners" },
  "api/admin/settings": { GET: "owners", PATCH: "owners" },
  "api/admin/settings/logo": { PUT: "owners" },
  "api/admin/customers": { GET: "customers" },
  "api/admin/customers/:id": { GET: "customers" },
  "api/admin/customers/:id/data": { GET: "business" },
  "api/admin/customers/:id/erase": { POST: "business" },
  "api/admin/insights": { GET: "business" },
  "api/admin/default-times": { PUT: "owners" },
  "api/admin/links": { PUT: "owners" },
  "api/admin/slots": { GET: "times", POST: "times", DELETE: "times" },
  "api/admin/blocks": { POST: "times" },
  "api/admin/leave": { GET: "times", POST: "times" },
  "api/admin/leave/:id": { DELETE: "times" },
  "api/admin/calendar": { GET: "look" },
  "api/admin/export": { GET: "business" },
  "api/admin/gst": { GET: "business" },
  "api/admin/activity-logs": { GET: "owners" },
  "api/admin/team": { GET: "owners", POST: "owners" },
  "api/admin/team/:username": { PATCH: "owners" },
  "api/admin/team/:username/invitation": { POST: "owners" },
  "api/admin/*": { GET: "account" },
};

/** What would change something, were it let through; anything else is sent an empty body. */
const BODIES: Record<string, object> = {
  "PATCH api/admin/team/:username": { active: false },
  "POST api/admin/team": { username: "x", email: "x@captains.example", role: "owner" },
  "POST api/admin/appointments/:id/refund": { amount: 100, reason: "A test" },
  "POST api/admin/appointments/:id/cancel": {},
  "PUT api/admin/default-times": { timeSlots: ["10:00"] },
  "PUT api/admin/links": { links: [] },
  "PATCH api/admin/settings": { brand: "Changed" },
  "PUT api/admin/packages/:minutes": { price: 1 },
  "PUT api/admin/counselors/:key": { title: "Changed" },
};

interface RouteNode {
  path?: string;
  file?: string;
  children?: RouteNode[];
}

const GATES = /\/(gated\.tsx|dialogs\.tsx|api\/admin\/layout\.ts)$/;

/** The patterns behind a gate. */
function gatedOf(nodes: readonly RouteNode[], parent = "", behind = false): string[] {
  return nodes.flatMap(({ path, file = "", children = [] }) => {
    const pattern = [parent, path].filter(Boolean).join("/");
    const own = behind && path !== undefined ? [pattern] : [];
    return [...own, ...gatedOf(children, pattern, behind || GATES.test(file))];
  });
}

const gated = [...new Set(gatedOf(routes as RouteNode[]))];

const asks = gated.flatMap((pattern) =>
  Object.entries(TABLE[pattern] ?? {}).map(([method, row]) => ({ pattern, method, row })),
);

const ACCOUNTS: Record<Role, string | null> = { owner: null, staff: null, captain: "asha" };

const app = sharedApp();
let paid: { id: string; paymentId: string };
const tokens = new Map<Role, string>();
beforeAll(async () => {
  for (const [role, counselorKey] of Object.entries(ACCOUNTS) as [Role, string | null][]) {
    const account = { id: role, username: `the-${role}`, email: `${role}@captains.example` };
    const rest = { role, counselorKey, passwordHash: "x", createdAt: 0, updatedAt: 0 };
    insertAdmin(app.db, { ...account, ...rest });
    const { token } = createSession({ db: app.db, now: Date.now }, role, { userAgent: null });
    tokens.set(role, token);
  }
  paid = await bookAndPay(app, { date: dayAhead(9) });
});

/** What is there is named where nothing may come of it, and what is not where it is let through. */
function pathOf(pattern: string, real: boolean): string {
  const id = real ? paid.id : UNKNOWN_ID;
  return (
    `/${pattern}`
      .replace(/refunds\/:id/, `refunds/${real ? paid.paymentId : UNKNOWN_ID}`)
      .replace(":id", id)
      .replace(":username", real ? "admin" : "nobody")
      .replace(":key", real ? "asha" : "nobody")
      .replace(":minutes", real ? "30" : "7")
      .replace(":number", real ? "AC-26-27-00001" : "AC-26-27-99999")
      // Whoever may have papers or the workbook asks for none: making them takes long.
      .replace(/documents\/month$/, real ? "$&" : "$&?month=2020-01")
      .replace(/documents\/gst$/, real ? "$&" : "$&?month=none")
      .replace(/admin\/export$/, real ? "$&" : "$&?status=none")
      .replace("*", "anything")
  );
}

function ask(
  { pattern, method }: { pattern: string; method: string },
  role: Role,
  { real = false, data = false } = {},
): Promise<ApiAnswer> {
  const token = tokens.get(role)!;
  const path = pathOf(pattern, real);
  if (pattern.startsWith("api/")) {
    const json = method === "GET" ? undefined : (BODIES[`${method} ${pattern}`] ?? {});
    return app.api(path, { method, token, json });
  }
  const cookie = { Cookie: sessionCookie(token) };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  return app.api(data ? `${path}.data` : path, {
    method,
    headers: method === "GET" ? cookie : { ...cookie, ...form },
    body: method === "GET" ? undefined : "",
  });
}

const QUIET = /^(activity|admin_session|message|setting|sqlite_|provider_event|.*_search|kysely)/;

/** All that is stored, but for what moves by itself and the log. */
function stored(): Record<string, unknown[]> {
  const tables = app.db
    .allRaw<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .map(({ name }) => name)
    .filter((name) => !QUIET.test(name));
  return Object.fromEntries(
    tables.map((name) => [name, app.db.allRaw<object>(`SELECT * FROM ${name}`)]),
  );
}

it("the contract's table and the table of roles know every route behind a gate, and no other", () => {
  expect(gated.length).toBeGreaterThan(60);
  expect([...new Set(gated)].sort()).toEqual(Object.keys(TABLE).sort());
  expect(gated.filter((pattern) => subjectOf(`/${pattern}`, "GET") === undefined)).toEqual([]);
});

describe.each(["owner", "staff", "captain"] as const)("%s", (role) => {
  const mayAsk = (row: Row) => (ROWS[row] as readonly Role[]).includes(role);
  const allowed = asks.filter(({ row }) => mayAsk(row));
  const refused = asks.filter(({ row }) => !mayAsk(row));

  it.each(allowed)("$method $pattern is let through", async (one) => {
    const { status } = await ask(one, role);
    expect(status).not.toBe(401);
    // A captain's requests for what is not their own are refused behind the gate.
    if (role !== "captain") expect(status).not.toBe(403);
    expect(status).toBeLessThan(500);
  });

  let refusals = 0;
  it("is refused by a page or by JSON, and changes nothing", async () => {
    const before = stored();
    for (const one of refused) {
      const name = `${one.method} ${one.pattern}`;
      refusals += 1;
      const answer = await ask(one, role, { real: true });
      expect([name, answer.status]).toEqual([name, 403]);
      if (one.pattern.startsWith("api/")) {
        expect([name, answer.code]).toEqual([name, "forbidden"]);
        continue;
      }
      expect([name, answer.text]).toEqual([name, expect.stringContaining("ask an owner")]);
      const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
      // What makes a file or only takes a form says it in plain text.
      expect(answer.text.includes("Not Allowed")).toBe(isPage);
      if (!isPage) continue;
      refusals += 1;
      const byScript = await ask(one, role, { real: true, data: true });
      expect([name, byScript.status]).toEqual([name, 403]);
      expect(byScript.text).not.toContain(paid.id);
    }
    expect(stored()).toEqual(before);
  });

  it("is logged by name and role with what was asked for, and nothing of the customer", () => {
    const lines = app.db
      .allRaw<{ actor: string; role: string; words: string; target: string | null }>(
        "SELECT actor, role, words, target FROM activity WHERE action = 'forbidden'",
      )
      .filter((line) => line.role === role);
    // The rest of so many in an hour is left out.
    expect(lines).toHaveLength(Math.min(30, refusals));
    expect(lines[0]).toMatchObject({ actor: `the-${role}`, target: null });
    expect(lines[0]?.words).toMatch(/^Not allowed: asked for (GET|POST) \/admin\//);
    expect(JSON.stringify(lines)).not.toContain(paid.id);
  });
});
