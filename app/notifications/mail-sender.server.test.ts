import { expect, it } from "vitest";
import type { OutgoingMail } from "#app/core/senders.ts";
import { createMailSender, openTransport } from "./mail-sender.server.ts";

it("mail goes out by TLS alone, but to a relay on this machine", () => {
  const optionsOf = (url: string) => {
    const transport = openTransport(new URL(url));
    transport.close();
    return transport.options as Record<string, unknown>;
  };
  expect(optionsOf("smtp://user:pass@mail.example.in")).toMatchObject({
    secure: false,
    requireTLS: true,
    port: 587,
  });
  expect(optionsOf("smtps://mail.example.in")).toMatchObject({ secure: true, port: 465 });
  expect(optionsOf("smtp://127.0.0.1:2525")).toMatchObject({ secure: false, ignoreTLS: true });
  for (const url of ["smtp://mail.example.in", "smtps://mail.example.in"]) {
    expect(optionsOf(url)).not.toHaveProperty("ignoreTLS");
    expect(optionsOf(url)).not.toHaveProperty("tls");
  }
});

it("mail waits while no server is named", async () => {
  const business = { name: "Sample", email: "owner@captains.example" };
  const sender = createMailSender({ smtpUrl: "", mailFrom: "a@captains.example", business });
  const sent = sender.send({} as OutgoingMail, AbortSignal.timeout(1_000));
  expect(await sent).toMatchObject({ outcome: "retry", code: "ECONFIG" });
});
