/** The admin's list at two sizes: what it costs must not grow with the years. */
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { visitor } from "#scripts/bench/database.ts";
import { press, requestBytes } from "#scripts/bench/load.ts";
import { measurePairs } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";
import { ADMIN } from "#tests/helpers/environment.ts";

/** What the sign-in answers. */
export async function signIn(app: AppServer): Promise<Record<string, string>> {
  const { username, password } = ADMIN;
  const response = await fetch(`${app.origin}/api/admin/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!response.ok) throw new Error(`the sign-in answered ${response.status}`);
  const { data } = (await response.json()) as { data: { token: string } };
  return { Authorization: `Bearer ${data.token}` };
}

interface Case {
  name: string;
  query: Record<string, string>;
  mustReach: Row["mustReach"];
}

export async function adminList(
  setting: Setting,
  { large, small }: { large: AppServer; small: AppServer },
): Promise<Row[]> {
  const today = dateInIndia(Date.now());
  const month = { startDate: today, endDate: addDays(today, 30) };
  const { name: sought, email, phone } = visitor(500);
  const twice = { atMost: 2 };
  const cases: Case[] = [
    { name: "admin list", query: {}, mustReach: twice },
    {
      name: "admin filter",
      query: { ...month, counselor: COUNSELORS[0]!.name, status: "confirmed" },
      mustReach: twice,
    },
    { name: "admin search by address", query: { q: email }, mustReach: twice },
    { name: "admin search by phone", query: { q: phone }, mustReach: twice },
    // A hundred have the name in one file and one in the other: the answers differ in length.
    { name: "admin search by name", query: { q: sought }, mustReach: null },
  ];
  const tokens = { large: await signIn(large), small: await signIn(small) };
  const rows: Row[] = [];
  for (const { name, query, mustReach } of cases) {
    const search = new URLSearchParams({ ...query, page: "1", pageSize: "50" });
    const path = `/api/admin/appointments?${search}`;
    const p50 = (app: AppServer, headers: Record<string, string>) => async () => {
      const target = { port: app.port, request: requestBytes(path, { headers }) };
      const effort = { connections: 1, seconds: setting.effort.seconds / 2 };
      return (await press(target, effort)).p50;
    };
    const sides = { ours: p50(large, tokens.large), floor: p50(small, tokens.small) };
    await sides.ours();
    await sides.floor();
    rows.push({
      case: `${name}, 100,000 beside 1,000`,
      unit: "ms",
      ...(await measurePairs(setting.effort.rounds, sides)),
      mustReach,
    });
  }
  return rows;
}
