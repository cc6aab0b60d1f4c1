/** What another's server answered, or that it did not: a try that failed, and no bug of ours. */
export class OutsideError extends Error {
  /** For the log: the message may hold an address. */
  readonly code: string;
  /** It does not mend itself. */
  readonly needsPerson: boolean;

  constructor(code: string, message: string, needsPerson = false) {
    super(message);
    this.name = "OutsideError";
    this.code = code;
    this.needsPerson = needsPerson;
  }
}
