/** Every mail on a phone, as a mail program shows its HTML. */
import { expect, test } from "@playwright/test";
import { MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { SAMPLE_CONTACT, sampleInput } from "#tests/support/sample-messages.ts";
import { faultsOf, overflowOf } from "./stage.ts";

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[];
const ENDLESS = "Krishnamoorthy".repeat(8).slice(0, 100);

test("a name of 100 letters widens no mail on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const contact = {
    ...SAMPLE_CONTACT,
    name: ENDLESS,
    notes: ENDLESS,
    email: `${ENDLESS.slice(0, 60)}@visitors.example`,
  };
  const wide: string[] = [];
  for (const kind of KINDS) {
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

/** One under the other, in the head that all have. */
function allMails(): string {
  const mails = KINDS.map((kind) => renderMessage(kind, sampleInput(kind)).html);
  const bodies = mails.map((html) => /<body[^>]*>(.*)<\/body>/s.exec(html)![1]);
  return mails[0]!.replace(/(?<=<body[^>]*>).*(?=<\/body>)/s, () => bodies.join(""));
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: the text has contrast`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setContent(allMails());
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(KINDS.length);
    expect(await faultsOf(page, ["color-contrast"])).toEqual([]);
  });
}
