import nodemailer from "nodemailer";
import { beforeEach, expect, test } from "vitest";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { shared } from "#tests/support/hooks.ts";
import { startReceiver } from "./client.ts";

const receiver = shared(startReceiver, (made) => made.close());
const sandbox = shared(
  () =>
    startSandbox({
      whatsappWebhookUrl: receiver.url,
      whatsappAuto: "none",
      clockScale: 100,
    }),
  (made) => made.close(),
);
beforeEach(() => {
  sandbox.reset();
  receiver.received.length = 0;
});

interface Answer {
  error: { code: number; message: string; type: string };
}

async function message(
  to: string,
  parameters: string[] = ["Anna", "10:15 AM"],
  token = sandbox.credentials.whatsappToken,
) {
  const texts = parameters.map((text) => ({ type: "text", text }));
  const body = {
    messaging_product: "whatsapp",
    to,
    type: "template",
    biz_opaque_callback_data: "row-1",
    template: {
      name: "booking_confirmed",
      language: { code: "en" },
      components: [{ type: "body", parameters: texts }],
    },
  };
  const { whatsappPhoneNumberId } = sandbox.credentials;
  const response = await fetch(`${sandbox.origin}/v26.0/${whatsappPhoneNumberId}/messages`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

const TO = "+919876543210";

test("token and parameter text are checked", async () => {
  const refused = await message(TO, [], "wrong");
  expect(refused.status).toBe(401);
  expect(refused.body.error).toMatchObject({ code: 190, type: "OAuthException" });
  for (const text of ["a\nb", "a\tb", "a     b"]) {
    expect((await message(TO, [text])).body.error.code).toBe(132018);
  }
  expect((await message(TO, ["a    b"])).status).toBe(200);
});

test("a failure may come after acceptance", async () => {
  sandbox.switches.set({ name: "whatsapp_status_failed", value: 131042, count: 1 });
  await message(TO);
  await receiver.until(1);
  expect(JSON.stringify(receiver.received[0]?.json)).toContain('"code":131042');
  await sandbox.idle();
  expect(sandbox.whatsapp.messages[0]?.state).toBe("failed");
});

test("a mail is kept raw, and shown without its scripts and with its pictures", async () => {
  const transport = nodemailer.createTransport(`${sandbox.smtpUrl}?socketTimeout=1000`);
  await transport.sendMail({
    from: { name: "Bookings", address: "bookings@example.com" },
    to: "anna@example.com",
    subject: "Confirmed – ₹1,179",
    text: "Your code is 123456",
    html: '<p>Namaste अभिषेक<img src="cid:logo"></p>',
    attachments: [
      { filename: "invoice.pdf", content: "%PDF-1.7 test" },
      { filename: "l.png", content: "a picture", contentType: "image/png", cid: "logo" },
    ],
  });
  transport.close();
  const [mail] = sandbox.mailbox.list({ to: "anna@example.com" });
  const base = `${sandbox.origin}/__sandbox/mails/${mail?.n}`;
  expect(await (await fetch(`${base}/raw`)).text()).toContain("Message-ID");
  const file = mail!.attachments.findIndex(({ filename }) => filename === "invoice.pdf");
  expect(await (await fetch(`${base}/attachments/${file}`)).text()).toBe("%PDF-1.7 test");
  const page = await fetch(`${base}/html`);
  expect(page.headers.get("content-security-policy")).toMatch(/^sandbox;/);
  expect(await page.text()).toContain(`<img src="data:image/png;base64,${btoa("a picture")}">`);
  expect(await (await fetch(`${sandbox.origin}/console/mails/${mail?.n}`)).text()).toContain(
    "Your code is 123456",
  );
});
