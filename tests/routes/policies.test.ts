/** What the policy pages promise, in words, and that each page leads to the others. */
import { expect, it } from "vitest";
import { dateInIndia, formatDate, keptUntil } from "#app/model/dates.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

async function read(path: string) {
  const answer = await app.api(path);
  expect(answer.status, path).toBe(200);
  return answer;
}

async function expectWords(path: string, all: readonly string[]) {
  const { words } = await read(path);
  for (const one of all) expect(words, path).toContain(one);
}

it("say what goes back, whom to ask, how sessions take place, and until when what is kept", async () => {
  const until = formatDate(keptUntil(dateInIndia(Date.now())));
  const pages: Record<string, string[]> = {
    "/refunds": [
      "The captain does not come The full amount, GST included, or another time: you choose",
      "Less than 24 hours before the start You can still ask us (not the captain)",
      `write to ${app.env.BUSINESS_EMAIL}`,
      `send a complaint to ${app.env.GRIEVANCE_CONTACT}. We acknowledge a complaint within 48 hours`,
    ],
    "/terms": [
      "or cancel it with a full refund, until 24 hours before the start. See",
      "take the payment back (charge-back)",
      "razorpay.com/support",
    ],
    "/how-it-works": [
      "Capt. Asha Sample: Video link by email.",
      "Capt. Rohan Sample: The captain calls you.",
      "confirmation by email, and by WhatsApp unless you refused it",
    ],
    "/privacy": [
      `until 72 months after the due date of that year’s annual return (for those of today: ${until})`,
      "whoever paid money that fits no booking",
      "We answer within 90 days. We acknowledge a complaint within 48 hours",
    ],
  };
  for (const [path, words] of Object.entries(pages)) await expectWords(path, words);
});

it("lead to each other, beside the button and in the site's map", async () => {
  const policies = ["/how-it-works", "/privacy", "/terms", "/refunds", "/contact"];
  const { text: map } = await app.api("/sitemap.xml");
  const links = policies.map((path) => `href="${path}"`);
  for (const path of ["/", ...policies]) {
    const { html } = await read(path);
    const footer = /<footer[\s\S]*<\/footer>/.exec(html)?.[0] ?? "";
    for (const link of links) expect(footer, path).toContain(link);
    expect(map).toContain(`${path}</loc>`);
  }
  const [panel = ""] = /<aside aria-label="Your session and price"[\s\S]*?<\/aside>/.exec(
    (await read("/")).html,
  )!;
  for (const path of ["/privacy", "/terms", "/refunds"]) {
    expect(panel).toContain(`href="${path}"`);
  }
});

it("say the cut-off in words, whatever it is", async () => {
  const shown = ["/", "/terms", "/refunds"];
  for (const [hours, words] of [
    [0, "Until the start you can move"],
    [1, "Until 1 hour before the start you can move"],
  ] as const) {
    app.db.runRaw("UPDATE owner_settings SET saved = ?", [`{"selfServiceCutoffHours":${hours}}`]);
    await expectWords("/refunds", [words]);
    for (const path of shown) expect((await read(path)).words, path).not.toMatch(/\b[01] hours/);
  }
  app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
});
