/** Smaller requests that may do the same: fewer fields, a shorter path, fewer headers. */
import type { Shot } from "./shot.ts";

export function* smaller(shot: Shot): Generator<Shot> {
  const { fields = [], path, headers, body } = shot;
  for (const part of parts(fields)) yield { ...shot, fields: part };
  if (path.length > 40) {
    yield { ...shot, path: path.slice(0, Math.ceil(path.length / 2)) };
    yield { ...shot, path: path.slice(0, Math.ceil((path.length * 3) / 4)) };
  }
  for (const part of parts(headers)) yield { ...shot, headers: part };
  if (typeof body === "string" && body.length > 40 && !shot.framed) {
    yield { ...shot, body: body.slice(0, body.length / 2) };
  }
}

/** Either half of a list; of a short one also each list without one. */
function* parts<T>(list: readonly T[]): Generator<T[]> {
  if (list.length > 1) {
    const half = Math.ceil(list.length / 2);
    yield list.slice(0, half);
    yield list.slice(half);
  }
  if (list.length > 2 && list.length < 12) {
    for (const [i] of list.entries()) yield list.toSpliced(i, 1);
  }
}
