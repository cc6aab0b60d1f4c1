/** What was done and seen in a round, in order: the trace of a violation is cut from it. */

export interface Entry {
  /** Milliseconds from the beginning of the round. */
  at: number;
  /** A history's number, or the part of the world that acted. */
  who: number | string;
  text: string;
}

export class Diary {
  readonly entries: Entry[] = [];
  readonly began = Date.now();

  note(who: number | string, text: string): void {
    this.entries.push({ at: Date.now() - this.began, who, text });
  }

  /** The lines of one history with the kills and switches around them, or of the world alone. */
  trace(history: number | null): string[] {
    return this.entries
      .filter(({ who }) => typeof who === "string" || who === history)
      .map(({ at, who, text }) => `${String(at).padStart(6)} ms  ${who}: ${text}`);
  }
}
