import { createHash } from "node:crypto";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { admin } from "./client.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function send(to: string, url = sandbox.smtpUrl) {
  const transport = nodemailer.createTransport(`${url}?socketTimeout=1000`);
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
  const { body } = await admin<{ mails: Mail[] }>(sandbox, "GET", "mails?to=anna@example.com");
  const [mail] = body.mails;
  expect(mail).toMatchObject({
    from: "bookings@example.com",
    to: ["anna@example.com"],
    subject: "Confirmed – ₹1,179",
    attachments: [
      {
        filename: "invoice.pdf",
        contentType: "application/pdf",
        size: 13,
        sha256: createHash("sha256").update("%PDF-1.7 test").digest("hex"),
      },
    ],
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

test("user and password are optional", async () => {
  await send("auth@example.com", sandbox.smtpUrl.replace("smtp://", "smtp://user:secret@"));
  expect(sandbox.mailbox.list({ to: "auth@example.com" })).toHaveLength(1);
});

test("waiting for a mail that comes later", async () => {
  const waiting = sandbox.mailbox.waitFor({ to: "later@example.com" });
  await send("later@example.com");
  expect(await waiting).toHaveLength(1);
});

test("a mail that does not come: the wait throws, the HTTP list is empty", async () => {
  await send("there@example.com");
  await expect(
    sandbox.mailbox.waitFor({ to: "there@example.com", min: 2, timeoutMs: 20 }),
  ).rejects.toThrow(/waited for 2 mails as .*found 1 of:.*there@example.com: Confirmed/s);
  const { body } = await admin(sandbox, "GET", "mails?to=never@example.com&timeoutMs=20");
  expect(body).toEqual({ mails: [] });
});

test("refusals by recipient and by switch", async () => {
  await expect(send("anna+550@example.com")).rejects.toMatchObject({
    responseCode: 550,
    permanent: true,
  });
  await expect(send("451@example.com")).rejects.toMatchObject({ responseCode: 451 });
  await expect(send("b+451once@example.com")).rejects.toMatchObject({ responseCode: 451 });
  await send("b+451once@example.com");
  sandbox.switches.set({ name: "smtp_451", count: 1, match: "carol" });
  await expect(send("carol@example.com")).rejects.toMatchObject({ responseCode: 451 });
  await send("carol@example.com");
});

test("the answer lost, and connections refused on the same port until cleared", async () => {
  sandbox.switches.set({ name: "smtp_answer_lost", count: 1 });
  await expect(send("dora@example.com")).rejects.toThrow();
  expect(sandbox.mailbox.list({ to: "dora@example.com" })).toHaveLength(1);
  await admin(sandbox, "POST", "switches", { name: "smtp_refuse" });
  await expect(send("eva@example.com")).rejects.toMatchObject({ code: "ESOCKET" });
  await admin(sandbox, "DELETE", "switches");
  await send("eva@example.com");
});
