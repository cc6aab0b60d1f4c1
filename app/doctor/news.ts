/** What of that which is wrong was not wrong at the look before. */
import type { Looked } from "./checks.server.ts";
import type { Finding } from "./finding.server.ts";

/** What each check found wrong last, by its subjects: a figure that changes makes it no news. */
export type Known = Record<string, string[]>;

export interface News {
  known: Known;
  /** Newly wrong. */
  findings: Finding[];
  /** Something was wrong, and nothing is any more. */
  isAllMended: boolean;
}

export function newsOf(before: Known, looked: readonly Looked[]): News {
  const known: Known = {};
  const findings: Finding[] = [];
  for (const { name, isWhole, findings: found } of looked) {
    const old = before[name] ?? [];
    const wrong = found.filter(({ level }) => level === "wrong");
    const subjects = isWhole ? [...new Set(wrong.map(({ subject }) => subject))] : old;
    if (subjects.length > 0) known[name] = subjects;
    findings.push(...wrong.filter(({ subject }) => !old.includes(subject)));
  }
  const isAllMended = Object.keys(before).length > 0 && Object.keys(known).length === 0;
  return { known, findings, isAllMended };
}
