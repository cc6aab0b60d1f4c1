import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function send(to: string) {
  const transport = nodemailer.createTransport(`${sandbox.smtpUrl}?socketTimeout=1000`);
  return transport
    .sendMail({
      from: { name: "Bookings", address: "bookings@example.com" },
      to,
      subject: "Confirmed – ₹1,179",
      text: "Your code is 123456",
      html: "<p>Namaste अभिषेक</p>",
      attachments: [{ filename: "invoice.pdf", content: "%PDF-1.7 test" }],
    })
    .finally(() => transport.close());
}

test("a mail is kept raw and parsed", async () => {
  await send("anna@example.com");
  const [mail] = sandbox.mailbox.list({ to: "anna@example.com" });
  expect(mail).toMatchObject({
    from: "bookings@example.com",
    to: ["anna@example.com"],
    subject: "Confirmed – ₹1,179",
    attachments: [{ filename: "invoice.pdf", contentType: "application/pdf" }],
  });
  expect(mail?.text).toContain("123456");
  expect(mail?.html).toContain("अभिषेक");
  const base = `${sandbox.origin}/__sandbox/mails/${mail?.n}`;
  expect(await (await fetch(`${base}/raw`)).text()).toContain("Message-ID");
  expect(await (await fetch(`${base}/attachments/0`)).text()).toBe("%PDF-1.7 test");
  const page = await fetch(`${base}/html`);
  expect(page.headers.get("content-security-policy")).toMatch(/^sandbox;/);
  expect(await (await fetch(`${sandbox.origin}/console/mails/${mail?.n}`)).text()).toContain(
    "Your code is 123456",
  );
});

test("a mail that does not come: the wait throws", async () => {
  await send("there@example.com");
  await expect(
    sandbox.mailbox.waitFor({ to: "there@example.com", min: 2, timeoutMs: 20 }),
  ).rejects.toThrow(/waited for mail as .*there@example.com: Confirmed/s);
});
