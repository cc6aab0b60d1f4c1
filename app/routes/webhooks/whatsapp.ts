import { failureJson, methods, successJson } from "#app/http/json.server.ts";
import { countUnproven } from "#app/http/rate-limits.ts";
import { failure } from "#app/model/outcome.ts";
import {
  answerChallenge,
  applyWhatsAppWebhook,
} from "#app/notifications/whatsapp-webhook.server.ts";

const route = methods({
  /** Meta's check of the address: the challenge as plain text, or 403. */
  GET({ deps, url }) {
    const challenge = answerChallenge(deps.env, url);
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    if (challenge === null) return new Response("Forbidden\n", { status: 403, headers });
    return new Response(challenge, { headers });
  },
  async POST({ deps, client, request }) {
    if (deps.env.whatsapp === null)
      return failureJson(failure("not_found", "There is no such call."));
    const applied = applyWhatsAppWebhook(
      deps,
      Buffer.from(await request.arrayBuffer()),
      request.headers.get("x-hub-signature-256"),
    );
    if (applied.ok) return successJson({});
    const isUnproven = applied.code === "invalid_signature";
    const tooMany = isUnproven ? countUnproven(deps, client.address) : null;
    return failureJson(tooMany ?? applied);
  },
});

export { route as action, route as loader };
