/** The thread's entry: a password in, whether it is too weak out. */
import { isEasilyGuessed } from "./password-estimate.ts";

export interface PasswordJob {
  password: string;
  ownWords: readonly string[];
}

export default function run({ password, ownWords }: PasswordJob): Promise<boolean> {
  return isEasilyGuessed(password, ownWords);
}
