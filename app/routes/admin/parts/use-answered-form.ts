import { type SubmissionResult, useForm } from "@conform-to/react";

export type Reply = SubmissionResult<string[]>;

const NOTHING_WRONG: Reply = {};

/** A form with what the answer to its last press says of its fields; without one nothing is wrong. */
export function useAnsweredForm<Names extends string>(
  id: string,
  reply: Reply | null | undefined,
  defaultValue: Partial<Record<Names, string>> = {},
) {
  const lastResult = reply ?? NOTHING_WRONG;
  return useForm<Record<Names, string>>({ id, lastResult, defaultValue: defaultValue as never });
}
