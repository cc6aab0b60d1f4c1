import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

describe("isCommonPassword", () => {
  it.each([
    "123456",
    "password",
    "Password1",
    "P@ssw0rd",
    "passw0rd123",
    "Admin@123",
    "admin2026!",
    "qwertyuiop12".slice(0, 10),
    "QWERTY123",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "abcdefghijkl",
    "987654321098",
    "administrator",
    "welcome@2025",
    "letmein!",
  ])("refuses %s", (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    "quiet-runway-0917",
    "correct horse battery",
    "tp7#Lk",
    "password of my aunt",
    "admiral-1902-sea",
    "Flugzeug",
  ])("lets %s pass", (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
