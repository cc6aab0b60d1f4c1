import { failureJson, methods, successJson } from "#app/http/json.server.ts";
import { countUnproven } from "#app/http/rate-limits.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";

const route = methods({
  async POST({ deps, client, request }) {
    const recorded = recordEvent(deps, {
      body: new Uint8Array(await request.arrayBuffer()),
      signature: request.headers.get("x-razorpay-signature"),
      eventId: request.headers.get("x-razorpay-event-id"),
    });
    if (recorded.ok) return successJson({});
    const isUnproven = recorded.code === "invalid_signature";
    const tooMany = isUnproven ? countUnproven(deps, client.address) : null;
    return failureJson(tooMany ?? recorded);
  },
});

export { route as action, route as loader };
