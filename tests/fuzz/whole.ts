/** What must hold of a service after all that was thrown at it. */
import { expect } from "vitest";
import { DOCUMENT_RULES } from "#tests/faults/document-audit.ts";
import { gatherEvidence, violationsOf } from "#tests/faults/evidence.ts";
import { MONEY_RULES } from "#tests/faults/money-audit.ts";
import { TIME_RULES } from "#tests/faults/time-audit.ts";
import type { TestApp } from "#tests/helpers/app.ts";

const PAGES = [
  "/",
  "/find-booking",
  "/privacy",
  "/terms",
  "/refunds",
  "/contact",
  "/how-it-works",
  "/captains/asha",
  "/health",
];
const ADMIN_PAGES = [
  ...["/admin", "/admin/slots", "/admin/activity", "/admin/documents", "/admin/unmatched"],
  ...["/admin/account", "/api/admin/appointments", "/api/admin/export", "/api/admin/activity-logs"],
];

export interface WholeOptions {
  /** Of a session that the test made itself. */
  token: () => string;
  headers: () => Record<string, string>;
}

/** Every page, file and document comes, and the ledgers agree. Answers how many were asked for. */
export async function expectWhole(app: TestApp, { token, headers }: WholeOptions): Promise<number> {
  const rows = (sql: string) => app.db.allRaw<{ id: string; number: string }>(sql);
  const asked = [
    ...PAGES,
    ...ADMIN_PAGES,
    ...rows("SELECT number FROM document").map(
      ({ number }) => `/admin/documents/${number.replaceAll("/", "-")}`,
    ),
    ...rows("SELECT id FROM appointment WHERE status <> 'pending_payment'").flatMap(({ id }) => [
      `/booking/${id}`,
      `/api/admin/appointments/${id}`,
    ]),
  ];
  const refused: string[] = [];
  for (const path of asked) {
    const isOurs = /\/admin/.test(path);
    const { httpStatus } = await app.api(path, {
      headers: headers(),
      ...(isOurs ? { token: token() } : {}),
    });
    if (httpStatus !== 200) refused.push(`${path} ${httpStatus}`);
  }
  expect(refused).toEqual([]);
  expect(app.db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(app.db.allRaw("PRAGMA foreign_key_check")).toEqual([]);
  const rules = { ...DOCUMENT_RULES, ...TIME_RULES, ...MONEY_RULES };
  expect(violationsOf(rules, gatherEvidence(app.sandbox, app.db))).toEqual([]);
  return asked.length;
}
