/** Every mail on a phone, as a mail program shows its HTML. */
import { expect, test } from "@playwright/test";
import { MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { SAMPLE_CONTACT, sampleInput } from "#tests/support/sample-messages.ts";
import { faultsOf, overflowOf } from "./stage.ts";

const ENDLESS = "Krishnamoorthy".repeat(8).slice(0, 100);

test("a name of 100 letters widens none on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const contact = {
    ...SAMPLE_CONTACT,
    name: ENDLESS,
    notes: ENDLESS,
    email: `${ENDLESS.slice(0, 60)}@visitors.example`,
  };
  const wide: string[] = [];
  for (const kind of Object.keys(MESSAGE_KINDS) as MessageKind[]) {
    const { html } = renderMessage(
      kind,
      sampleInput(kind, { contact, counselor: `Capt. ${ENDLESS}` }),
    );
    await page.setContent(html);
    const over = await overflowOf(page);
    if (over > 0) wide.push(`${kind}: ${over} px`);
  }
  expect(wide).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: what is written has contrast`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const kind of Object.keys(MESSAGE_KINDS) as MessageKind[]) {
      await page.setContent(renderMessage(kind, sampleInput(kind)).html);
      expect([kind, await faultsOf(page, ["color-contrast"])]).toEqual([kind, []]);
    }
  });
}
