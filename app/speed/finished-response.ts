/**
 * Answers whose bytes are all there when they are made. The bytes are remembered beside a Response
 * without a body: a stream costs a tenth of a page's rendering to make, and more to read back.
 */
const bodies = new WeakMap<Response, Buffer>();

/** To be handed on as it is: what copies the Response copies no body. */
export function finishedResponse(
  bytes: Buffer,
  { status = 200, headers = {} }: Pick<ResponseInit, "status" | "headers">,
): Response {
  const response = new Response(null, { status, headers });
  bodies.set(response, bytes);
  return response;
}

/** Null if there is none. */
export async function bytesOf(response: Response): Promise<Buffer | null> {
  const finished = bodies.get(response);
  if (finished) return finished;
  return response.body === null ? null : Buffer.from(await response.arrayBuffer());
}
