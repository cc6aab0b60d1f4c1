/** Webhooks of the payment provider and Meta. */
import { type Call, calls, failureJson, successJson } from "#app/http/json.server.ts";
import { countUnproven } from "#app/http/rate-limits.ts";
import { failure, type Outcome } from "#app/model/outcome.ts";
import {
  answerChallenge,
  applyWhatsAppWebhook,
} from "#app/notifications/whatsapp-webhook.server.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";

const route = calls({
  "webhooks/razorpay": {
    async POST(call) {
      const { headers } = call.request;
      const recorded = recordEvent(call.deps, {
        body: new Uint8Array(await call.request.arrayBuffer()),
        signature: headers.get("x-razorpay-signature"),
        eventId: headers.get("x-razorpay-event-id"),
      });
      return acknowledge(recorded, call);
    },
  },
  "webhooks/whatsapp": {
    /** Meta verifies the address: the response is its challenge as plain text, or 403. */
    GET({ deps, url }) {
      const challenge = answerChallenge(deps.env, url);
      const headers = { "Content-Type": "text/plain; charset=utf-8" };
      if (challenge === null) return new Response("Forbidden\n", { status: 403, headers });
      return new Response(challenge, { headers });
    },
    async POST(call) {
      const { deps, request } = call;
      if (deps.env.whatsapp === null) {
        return failureJson(failure("not_found", "There is no such call."));
      }
      const body = Buffer.from(await request.arrayBuffer());
      const signature = request.headers.get("x-hub-signature-256");
      return acknowledge(applyWhatsAppWebhook(deps, body, signature), call);
    },
  },
});

/** Wrong signatures are counted by client address: many of them get 429. */
function acknowledge(done: Outcome<unknown>, { deps, client }: Call): Response {
  if (done.ok) return successJson({});
  const isUnproven = done.code === "invalid_signature";
  const tooMany = isUnproven ? countUnproven(deps, client.address) : null;
  return failureJson(tooMany ?? done);
}

export { route as action, route as loader };
