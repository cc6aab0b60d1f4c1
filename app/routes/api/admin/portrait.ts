import { actorOf } from "#app/auth/require-admin.server.ts";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import { failureJson, methods, outcomeJson } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";
import { counselorJson } from "./answers.ts";

const NO_PICTURE_TYPE = failure(
  "unsupported_media_type",
  "Please send a picture (Content-Type: image/png, image/jpeg or image/webp).",
);

const route = methods({
  async PUT({ deps, context, params, request }) {
    const type = request.headers.get("content-type") ?? "";
    if (!/^image\/(png|jpeg|webp)\s*(;|$)/i.test(type)) return failureJson(NO_PICTURE_TYPE);
    const picture = new Uint8Array(await request.arrayBuffer());
    const done = await changePortrait(deps, actorOf(context), params.key ?? "", picture);
    return outcomeJson(done, counselorJson);
  },
});

export { route as action, route as loader };
