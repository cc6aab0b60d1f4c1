/** Every mail on a phone, as a mail program shows its HTML. */
import { expect, test } from "@playwright/test";
import type { Appointment } from "#app/model/appointment.ts";
import { MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { SAMPLE_CONTACT, sampleInput } from "#tests/support/sample-messages.ts";
import { faultsOf, overflowOf } from "./stage.ts";

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[];
const ENDLESS = "Krishnamoorthy".repeat(8).slice(0, 100);

/** One under the other, in the head that all have. */
function allMails(booking: Partial<Appointment> = {}): string {
  const mails = KINDS.map((kind) => renderMessage(kind, sampleInput(kind, booking)).html);
  const bodies = mails.map((html) => /<body[^>]*>(.*)<\/body>/s.exec(html)![1]);
  return mails[0]!.replace(/(?<=<body[^>]*>).*(?=<\/body>)/s, () => bodies.join(""));
}

test("a name of 100 letters widens no mail on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const email = `${ENDLESS.slice(0, 60)}@visitors.example`;
  const contact = { ...SAMPLE_CONTACT, name: ENDLESS, notes: ENDLESS, email };
  await page.setContent(allMails({ contact, counselor: `Capt. ${ENDLESS}` }));
  const wide = await page.evaluate(() =>
    [...document.body.children]
      .filter((mail) => mail.getBoundingClientRect().right > innerWidth)
      .map((mail) => mail.textContent.slice(0, 60)),
  );
  expect(await overflowOf(page), wide.join()).toBeLessThanOrEqual(0);
});

test("the text has contrast, light and dark", async ({ page }) => {
  await page.setContent(allMails());
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(KINDS.length);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faultsOf(page, { others: false }), colorScheme).toEqual([]);
  }
});
