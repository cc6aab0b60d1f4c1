/** The customers' list and search, of 60,000 with 100,000 bookings. */
import { signIn } from "#scripts/bench/cases/admin.ts";
import { CUSTOMERS, visitor } from "#scripts/bench/database.ts";
import { press, requestBytes } from "#scripts/bench/load.ts";
import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";

export async function customerList(setting: Setting, app: AppServer): Promise<Row[]> {
  const headers = await signIn(app);
  const { name, email, phone } = visitor(500);
  const cases = { list: "", "search by name": name, "by address": email, "by phone": phone };
  const rows: Row[] = [];
  for (const [what, q] of Object.entries(cases)) {
    const path = `/api/admin/customers?${new URLSearchParams({ q, page: "1" })}`;
    const target = { port: app.port, request: requestBytes(path, { headers }) };
    const effort = { connections: 1, seconds: setting.effort.seconds / 2 };
    await press(target, effort);
    const p50: number[] = [];
    for (let round = 0; round < setting.effort.rounds; round++) {
      p50.push((await press(target, effort)).p50);
    }
    rows.push({
      case: `customers ${what}, ${CUSTOMERS.toLocaleString("en-IN")}`,
      unit: "ms",
      ours: spreadOf(p50),
      floor: null,
      ratio: null,
      mustReach: { atMost: 20 },
    });
  }
  return rows;
}
