/**
 * Answers whose bytes are all there when they are made. The bytes are remembered beside the
 * Response, because reading a body back through its stream takes as long as a quarter of a page's
 * rendering.
 */
const bodies = new WeakMap<Response, Buffer>();

export function finishedResponse(bytes: Buffer, init: ResponseInit): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, init);
  bodies.set(response, bytes);
  return response;
}

/** The whole body of any answer; a finished one may be asked again. */
export async function bytesOf(response: Response): Promise<Buffer> {
  return bodies.get(response) ?? Buffer.from(await response.arrayBuffer());
}
