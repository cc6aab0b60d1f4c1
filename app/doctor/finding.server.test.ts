import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { withoutSecrets } from "./finding.server.ts";

it.each([
  ["pass%40word", "pass%40word, pass@word", "…, …"],
  ["50%off", "50%off", "…"],
])(
  "a text loses the mail server's password %s, as it is written and as it is meant",
  (password, words, left) => {
    const smtpUrl = `smtps://user:${password}@mail.example.in`;
    expect(withoutSecrets({ ...parseEnv({}).env, smtpUrl }, words)).toBe(left);
  },
);
