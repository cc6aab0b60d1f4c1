import { type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useState } from "react";

export type Reply = SubmissionResult<string[]>;

const NOTHING_WRONG: Reply = {};

/**
 * A form with what the answer to its last press says of its fields; without one nothing is wrong.
 * With `onInput` on the form, what is said of a code goes as another one is typed.
 */
export function useAnsweredForm<Names extends string>(
  id: string,
  reply: Reply | null | undefined,
  defaultValue: Partial<Record<Names, string>> = {},
) {
  const [mended, setMended] = useState<{ reply: Reply; left: Reply } | null>(null);
  const isMended = mended !== null && mended.reply === reply;
  const [form, fields] = useForm<Record<Names, string>>({
    id,
    lastResult: isMended ? mended.left : (reply ?? NOTHING_WRONG),
    defaultValue: defaultValue as never,
  });
  const onInput = ({ target }: FormEvent) => {
    if (!reply || isMended || !(target instanceof HTMLInputElement)) return;
    if (target.autocomplete !== "one-time-code") return;
    const { [target.name]: _, ...error } = reply.error ?? {};
    // Without its status, so that the focus stays.
    setMended({ reply, left: { error } });
  };
  return [form, fields, { onInput, isMended }] as const;
}
