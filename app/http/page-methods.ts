/** The methods that the pages take, for refusals of others: the framework does not name them. */
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

type Routes = ServerBuild["routes"];

/** Makes a function of a page's canonical path, which returns what `Allow` says. */
export function pageMethodsOf(routes: Routes): (path: string) => string {
  const tree = childrenOf(routes, undefined);
  return (path) => {
    const { id = "" } = matchRoutes(tree, path)?.at(-1)?.route ?? {};
    return routes[id]?.module.action ? "GET, HEAD, POST" : "GET, HEAD";
  };
}

function childrenOf(routes: Routes, parent: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route) => {
    if (!route || route.parentId !== parent) return [];
    const { id, path, index } = route;
    return index ? { id, path, index } : { id, path, children: childrenOf(routes, id) };
  });
}
