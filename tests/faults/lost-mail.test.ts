/** The mail server is away for the whole booking. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, book, pay } from "#tests/support/admin.ts";
import { eventually } from "#tests/support/eventually.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ separateProcess: true });
});
afterAll(() => app.stop());

it("confirms, shows the mail as waiting, and delivers it with the invoice once it is back", async () => {
  const { switches, mailbox } = app.sandbox;
  switches.set({ name: "smtp_refuse" });
  await mailbox.settled();
  const admin = await adminOf(app);
  const { id, body } = await book(app);
  const { status } = await pay(app, id);
  expect(status).toBe("confirmed");
  const page = await fetch(`${app.origin}/booking/${id}`);
  expect(await page.text()).toContain("Confirmed");

  const confirmation = async () => {
    const { data } = await admin(`/appointments/${id}`);
    return data.messages.find(
      (message: { kind: string; channel: string }) =>
        message.kind === "booking_confirmed" && message.channel === "email",
    );
  };
  await eventually(async () => {
    const { state, attempts, lastError } = await confirmation();
    expect(state).toBe("retrying");
    expect(attempts).toBeGreaterThan(0);
    expect(lastError).toBeTruthy();
  });
  expect(mailbox.list()).toEqual([]);

  switches.clear();
  await mailbox.settled();
  const [mail] = await mailbox.waitFor({ to: body.email });
  expect(mail?.attachments.map(({ contentType }) => contentType)).toContain("application/pdf");
  await eventually(async () => expect((await confirmation()).state).toBe("sent"));
  expect(mailbox.list({ to: body.email })).toHaveLength(1);
});
