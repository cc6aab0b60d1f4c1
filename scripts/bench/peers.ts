/**
 * What booking products that people know do on the same work: notes beside the cases, no marks. Measured
 * on one machine with 2 shared cores, 16 users and the same 5,000 appointments; the ratios hold better
 * than the figures. The bench only prints them: it neither starts those products nor measures them anew.
 */
const SOURCE = `Beside, measured apart from this bench on 2026-11-21: each product in the version named, and this one as
it was that day, on one machine with 2 shared cores, with 16 users and the same 5,000 appointments.
The ratios hold better than the figures.`;

const HEAD = ["case", "Easy!Appointments 1.6.0", "OpenReception 2.2.0", "this product then"];

/** By what the name of a case begins with. */
const NOTES = [
  ["GET /, no cookie", "126–130 /s", "197–229 /s", "10,900–15,200 /s"],
  ["GET /, rendered for one visitor", "112–130 /s", "", "255–314 /s"],
  ["GET /api/slots", "173–195 /s", "42–44 /s", "10,800–15,700 /s"],
  ["a month", "9.7–11.7 /s", "0.7–1.5 /s", "13,000–16,500 /s"],
  ["POST /api/appointments", "58–88 /s", "229–258 /s", "558–937 /s"],
  ["admin list", "92–98 /s", "", "1,006–1,393 /s"],
  ["GET /admin, 50 rows", "117–120 /s", "", "95–97 /s"],
  ["memory after the run", "433 MB", "1,300–3,260 MB", "459–499 MB"],
] as const;

/** Markdown, of the cases that ran; empty if none of them has a note. */
export function peersTable(cases: readonly string[]): string {
  const known = NOTES.filter(([of]) => cases.some((name) => name.startsWith(of)));
  if (known.length === 0) return "";
  const lines = [HEAD, HEAD.map(() => "---"), ...known];
  return `${SOURCE}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}
