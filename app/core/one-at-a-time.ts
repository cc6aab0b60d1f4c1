/** A queue for work that takes much memory: one after the other. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
