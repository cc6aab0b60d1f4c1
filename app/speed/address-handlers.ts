/**
 * React Router tries the app's routes one after the other, twice for a call and more often for a page,
 * and builds all of them for every page: with seventy routes, a third of the time of a short
 * response. So each address without parameters has a handler with only its own routes.
 */
import { createRequestHandler, type ServerBuild } from "react-router";

type Handler = ReturnType<typeof createRequestHandler>;
type Routes = ServerBuild["routes"];

export function createAddressHandlers(build: ServerBuild): Handler {
  const whole = createRequestHandler(build, "production");
  const handlers = new Map<string, Handler>();
  for (const [address, ids] of plainAddresses(build.routes)) {
    handlers.set(address, createRequestHandler(withRoutes(build, ids), "production"));
  }
  return (request, context) => {
    const handler = handlers.get(new URL(request.url).pathname) ?? whole;
    return handler(request, context);
  };
}

/** Address → ids of its route and the routes around it. Of two equal addresses the first counts. */
function plainAddresses(routes: Routes): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const route of Object.values(routes)) {
    if (!route || (route.path === undefined && !route.index) || route.parentId === undefined) {
      continue;
    }
    const ids: string[] = [];
    const parts: string[] = [];
    for (let one: typeof route | undefined = route; one; one = routes[one.parentId ?? ""]) {
      ids.unshift(one.id);
      if (one.path) parts.unshift(one.path);
    }
    const address = `/${parts.join("/")}`;
    if (!/[:*?]/.test(address) && !addresses.has(address)) addresses.set(address, ids);
  }
  return addresses;
}

/** Includes the route of `/`, because the HTML of every page describes it to the browser. */
function withRoutes(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const first = Object.values(build.routes).find(
    (route) => route?.index && route.parentId === "root",
  );
  const wanted = new Set(first ? [...ids, first.id] : ids);
  const only = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => wanted.has(id)));
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}
