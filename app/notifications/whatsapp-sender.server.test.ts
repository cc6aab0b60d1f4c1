/** What is asked of WhatsApp, and what each of its answers means for the message. */
import { afterEach, expect, it, vi } from "vitest";
import { createWhatsAppSender } from "./whatsapp-sender.server.ts";

afterEach(() => void vi.restoreAllMocks());

const config = {
  ...{ apiUrl: "https://graph.example", apiVersion: "v1", phoneNumberId: "77", token: "secret" },
  ...{ appSecret: "a", verifyToken: "v", templatePrefix: "cb_", language: "en" },
};
const message = { messageId: "m", to: "+919845012345", template: "reminder_1h", parameters: ["A"] };

/** Sends the message to a server that gives this answer, or fails so. */
async function sent(answer: Response | Error, to = message.to) {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const limits = vi.spyOn(AbortSignal, "timeout");
  const sender = createWhatsAppSender(config as never);
  const result = await sender.send({ ...message, to }, new AbortController().signal);
  return { result, asked: asked.mock.calls, limits: limits.mock.calls };
}

const answer = (status: number, body: unknown) =>
  ({
    status,
    text: async () => (typeof body === "string" ? body : JSON.stringify(body)),
  }) as Response;
const accepted = { messages: [{ id: "wamid.1" }, { id: "wamid.2" }] };
const refused = (code: number, more: object = {}) => ({ error: { code, ...more } });

it("asks for a template with its parameters, within ten seconds", async () => {
  const { result, asked, limits } = await sent(answer(200, accepted));
  expect(result).toEqual({ outcome: "sent", transportId: "wamid.1" });
  expect(limits).toEqual([[10_000]]);
  const [[url, { signal: _, body, ...options }]] = asked as never as [[string, RequestInit]];
  expect(url).toBe("https://graph.example/v1/77/messages");
  expect(options).toEqual({
    ...{ method: "POST", redirect: "error" },
    headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
  });
  expect(JSON.parse(String(body))).toEqual({
    ...{ messaging_product: "whatsapp", recipient_type: "individual", to: message.to },
    ...{ type: "template", biz_opaque_callback_data: "m" },
    template: {
      ...{ name: "cb_reminder_1h", language: { code: "en" } },
      components: [{ type: "body", parameters: [{ type: "text", text: "A" }] }],
    },
  });
});

const NONE = "WhatsApp gave no usable answer.";
it.each<[string, Response | Error, object]>([
  ["an answer at the end of success", answer(299, accepted), { outcome: "sent" }],
  ["one message of a short id", answer(200, { messages: [{ id: "w" }] }), { transportId: "w" }],
  ["an empty list", answer(200, { messages: [] }), { outcome: "retry", code: "WhatsApp HTTP 200" }],
  ["an empty id", answer(200, { messages: [{ id: "" }] }), { outcome: "retry" }],
  ["a page", answer(200, "<html>"), { outcome: "retry", error: `WhatsApp HTTP 200: ${NONE}` }],
  ["success below its range", answer(199, accepted), { code: "WhatsApp HTTP 199" }],
  ["success above its range", answer(300, accepted), { code: "WhatsApp HTTP 300" }],
  [
    "a refusal that waits",
    answer(400, refused(80007, { message: "Wait" })),
    {
      ...{ outcome: "retry", code: "WhatsApp 80007", waitAtLeast: 30_000 },
      error: "WhatsApp 80007: Too many messages for the account. (Wait)",
    },
  ],
  [
    "a refusal with details",
    answer(400, refused(132001, { message: "M", error_data: { details: "D".repeat(300) } })),
    {
      ...{ outcome: "park", code: "WhatsApp 132001", alert: true },
      error: expect.stringMatching(/^WhatsApp 132001: The template does not .* \(D+$/),
    },
  ],
  [
    "a refusal without words",
    answer(500, refused(190)),
    {
      ...{ outcome: "stop", code: "WhatsApp 190", alert: true },
      error: "WhatsApp 190: The access token is invalid or has expired.",
    },
  ],
  [
    "a fault of the network",
    new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }),
    {
      ...{ outcome: "retry", code: "NETWORK", error: "No answer: ECONNRESET" },
    },
  ],
  ["a fault without a code", new TypeError("x"), { error: "No answer: TypeError" }],
])("%s", async (_, given, expected) => {
  const { result } = await sent(given);
  expect(result).toMatchObject(expected);
  const {
    error = "",
    alert,
    waitAtLeast,
  } = result as { error?: string; alert?: boolean; waitAtLeast?: number };
  expect(error.length).toBeLessThanOrEqual(300);
  if (error.includes("DD")) expect(error).toHaveLength(300);
  const wanted = expected as { alert?: boolean; waitAtLeast?: number };
  expect([alert, waitAtLeast]).toEqual([wanted.alert, wanted.waitAtLeast]);
});

it("a fault that is no error is unknown", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue("a word");
  const sender = createWhatsAppSender(config as never);
  const result = await sender.send(message, new AbortController().signal);
  expect(result).toMatchObject({ outcome: "retry", error: "No answer: unknown fault" });
});

it("asks nothing for a number without its country's code", async () => {
  const { result, asked } = await sent(answer(200, accepted), "98450");
  expect([result, asked]).toMatchObject([{ outcome: "park", code: "NUMBER" }, []]);
});
