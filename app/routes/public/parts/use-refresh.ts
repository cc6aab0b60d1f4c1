import { useEffect, useRef } from "react";
import { isRouteErrorResponse, useRevalidator } from "react-router";

interface RefreshOptions {
  /** Milliseconds between two reads; null: only when the visitor comes back to the page. */
  every: number | null;
  /** Milliseconds after which the reads stop until the visitor comes back to the page. */
  during: number;
  /** True while nothing on the page may change. */
  paused?: boolean;
}

/**
 * Reads the page's data again at intervals, and when the visitor comes back from another app.
 * Returns a function that reads them at once.
 */
export function useRefresh({ every, during, paused = false }: RefreshOptions): () => void {
  const revalidator = useRevalidator();
  const refresh = useRef(() => {});
  refresh.current = () => {
    // A new read cancels the one under way, so on a slow connection none would ever arrive.
    if (!paused && revalidator.state === "idle") void revalidator.revalidate();
  };

  useEffect(() => {
    if (paused) return;
    let until = Date.now() + during;
    const onTick = () => {
      if (Date.now() < until && !document.hidden) refresh.current();
    };
    const onVisible = () => {
      if (document.hidden) return;
      until = Date.now() + during;
      refresh.current();
    };
    const timer = every === null ? undefined : setInterval(onTick, every);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [every, during, paused]);

  return () => refresh.current();
}

/** What one page shows; null while another page is open. */
export interface Kept<Data> {
  shown: Data | null;
}

/** True if the network, the server or a rate limit prevented an answer. */
export function hasNoAnswer(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status >= 500 || error.status === 429;
  return error instanceof Error;
}

/** For a client loader: while the server does not answer, the page keeps what it shows. */
export async function readOrKeep<Data>(
  kept: Kept<Data>,
  serverLoader: () => Promise<Data>,
  isSame: (data: Data) => boolean = () => true,
): Promise<Data> {
  try {
    return await serverLoader();
  } catch (error) {
    if (hasNoAnswer(error) && kept.shown !== null && isSame(kept.shown)) return kept.shown;
    throw error;
  }
}

/** Called by the page's component: the first data come with the HTML, not through the client loader. */
export function useShown<Data>(kept: Kept<Data>, data: Data): void {
  useEffect(() => {
    kept.shown = data;
    return () => {
      kept.shown = null;
    };
  }, [kept, data]);
}
