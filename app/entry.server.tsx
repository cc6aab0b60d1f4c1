/** Renders a page to its complete HTML, so that its policy can name inline scripts by hash. */
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { NonceContext } from "#app/components/nonce.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import { contentSecurityPolicy } from "#app/http/headers.ts";
import { finishedResponse } from "#app/speed/compress.ts";
import { delayScripts } from "#app/speed/late-scripts.ts";
import { newNonce, takeOutNonce } from "#app/speed/own-scripts.ts";
import { isUnavailable } from "#db/connection.server.ts";

const RENDER_TIMEOUT_MS = 10_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const deps = loadContext.get(depsContext);
  const { env, log } = deps;
  const { requestId, route, forMany = false } = loadContext.get(clientContext);
  const nonce = newNonce();
  const rendered = await renderPage(
    // Gives the nonce to the scripts of components and of the document's shell.
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    nonce,
    (error) => {
      log.error({ err: error, requestId }, "bug while rendering");
      noteFailure(deps, error, { area: `rendering ${route ?? "no route"}`, requestId });
    },
  );
  const { page, scripts } = forMany
    ? takeOutNonce(delayScripts(rendered), nonce)
    : { page: rendered, scripts: [`'nonce-${nonce}'`] };
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set(
    "Content-Security-Policy",
    contentSecurityPolicy({
      scripts,
      path: new URL(request.url).pathname,
      razorpay: env.razorpay,
      publicUrl: env.publicUrl,
    }),
  );
  const { actionHeaders, errors: thrown } = routerContext.staticHandlerContext;
  // The framework passes on an action's cookies alone, unless its route exports `headers`.
  for (const sent of Object.values(actionHeaders)) {
    const seconds = sent.get("Retry-After");
    if (seconds !== null) headers.set("Retry-After", seconds);
  }
  const errors = Object.values(thrown ?? {});
  const unavailable = errors.some(isUnavailable);
  if (unavailable) headers.set("Retry-After", "5");
  return finishedResponse(page, { status: unavailable ? 503 : status, headers });
}

/** `report` is called with errors inside the page, whose boundaries are then left empty. */
function renderPage(
  page: React.ReactNode,
  nonce: string,
  report: (error: unknown) => void,
): Promise<Buffer> {
  let timer: NodeJS.Timeout;
  const rendered = new Promise<Buffer>((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Otherwise React reveals a large Suspense boundary by script, and it never shows without.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onAllReady: () => resolve(buffer(pipe(new PassThrough()))),
      onError: report,
      onShellError: reject,
    });
    timer = setTimeout(abort, RENDER_TIMEOUT_MS);
  });
  return rendered.finally(() => clearTimeout(timer));
}

export { reportError as handleError } from "#app/http/request-log.server.ts";
