/** The admin's calls one after the other: what they cost must not grow with the years. */
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { BOOKED_DAYS, CUSTOMERS, visitor } from "#scripts/bench/database.ts";
import { requestBytes, runLoad } from "#scripts/bench/load.ts";
import { inRounds, measurePairs, pairRow, SECONDS } from "#scripts/bench/measure.ts";
import { type Row, rowOf } from "#scripts/bench/report.ts";
import { type AppServer, signIn } from "#scripts/bench/servers.ts";

const FIVE_YEARS = 1826;

type Query = Record<string, string>;

/** Measures the median time of an answer, in milliseconds. */
async function medianOf(app: AppServer, path: string, query: Query) {
  const headers = await signIn(app);
  const request = requestBytes(`${path}?${new URLSearchParams(query)}`, { headers });
  return async () =>
    (await runLoad({ port: app.port, request }, { connections: 1, seconds: SECONDS / 2 })).p50;
}

/** The list at two sizes. */
export async function adminList(large: AppServer, small: AppServer): Promise<Row[]> {
  const today = dateInIndia(Date.now());
  const month = { startDate: today, endDate: addDays(today, 30) };
  const filter = { ...month, counselor: COUNSELORS[0]!.name, status: "confirmed" };
  const { name, email, phone } = visitor(500);
  const twice = { atMost: 2 };
  const cases: [name: string, query: Query, mustReach: Row["mustReach"]][] = [
    ["admin list", {}, twice],
    ["admin filter", filter, twice],
    ["admin search by address", { q: email }, twice],
    ["admin search by phone", { q: phone }, twice],
    // One file has a hundred customers of this name, the other one: the answers differ in length.
    ["admin search by name", { q: name }, null],
  ];
  const rows: Row[] = [];
  for (const [name, query, mustReach] of cases) {
    const page = { ...query, page: "1", pageSize: "50" };
    const median = (app: AppServer) => medianOf(app, "/api/admin/appointments", page);
    const sides = { ours: await median(large), floor: await median(small) };
    await sides.ours();
    await sides.floor();
    const pairs = await measurePairs(sides);
    rows.push(pairRow(`${name}, 100,000 beside 1,000`, "ms", pairs, mustReach));
  }
  return rows;
}

/** The customers' list and search, of 60,000 with 100,000 bookings. */
export async function customerList(app: AppServer): Promise<Row[]> {
  const { name, email, phone } = visitor(500);
  const cases = { list: "", "search by name": name, "by address": email, "by phone": phone };
  const rows: Row[] = [];
  for (const [what, q] of Object.entries(cases)) {
    const query = { q, page: "1" };
    const median = await medianOf(app, "/api/admin/customers", query);
    await median();
    const title = `customers ${what}, ${CUSTOMERS.toLocaleString("en-IN")}`;
    rows.push(rowOf(title, "ms", await inRounds(median), 20));
  }
  return rows;
}

/** The figures of five years, all worked out anew: what they cost the thread that answers. */
export async function insightsOfYears(app: AppServer): Promise<Row[]> {
  const to = addDays(dateInIndia(Date.now()), BOOKED_DAYS);
  const query = { from: addDays(to, 1 - FIVE_YEARS), to };
  const median = await medianOf(app, "/api/admin/insights", query);
  const values = await inRounds(median);
  return [rowOf("insights of five years, 100,000 in the file", "ms", values, 100)];
}
