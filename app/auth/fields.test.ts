import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  changePasswordSchema,
  confirmedPasswordSchema,
  confirmedResetSchema,
  forgotPasswordSchema,
  loginSchema,
  passwordAndCodeSchema,
  resetPasswordSchema,
  verifyOtpSchema,
} from "./fields.ts";

const faultsOf = (schema: z.ZodType, input: object) =>
  schema
    .safeParse(input)
    .error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? [];
const x = (length: number) => "x".repeat(length);

const login = { username: "asha", password: "p" };
const reset = { email: "asha@captains.example", otp: "123456", newPassword: x(6) };
const change = { currentPassword: "p", newPassword: x(12), confirmPassword: x(12) };
/** 254 characters with its domain. */
const longest = `${x(64)}@${[x(63), x(63), x(58)].join(".")}.in`;
const email = "email: Please enter a valid email address";

it.each<[string, z.ZodType, object, string[]]>([
  ["sign-in", loginSchema, login, []],
  ["sign-in", loginSchema, { ...login, username: ` ${x(100)} ` }, []],
  ["sign-in", loginSchema, { ...login, username: x(101) }, ["username: Username is too long"]],
  ["sign-in", loginSchema, { ...login, username: " " }, ["username: Username is required"]],
  ["sign-in", loginSchema, { ...login, password: "" }, ["password: Password is required"]],
  ["sign-in", loginSchema, { ...login, password: x(200) }, []],
  ["sign-in", loginSchema, { ...login, password: x(201) }, ["password: Password is too long"]],
  ["sign-in", loginSchema, { ...login, totp: x(40) }, []],
  ["sign-in", loginSchema, { ...login, totp: x(41) }, ["totp: This is not a code"]],
  ["forgotten", forgotPasswordSchema, { email: longest }, []],
  ["forgotten", forgotPasswordSchema, { email: `x${longest}` }, [email]],
  ["forgotten", forgotPasswordSchema, { email: "asha" }, [email]],
  ["code", verifyOtpSchema, { ...reset, otp: " 123456 " }, []],
  ["code", verifyOtpSchema, { ...reset, otp: "12345" }, ["otp: OTP must be 6 digits"]],
  ["code", verifyOtpSchema, { ...reset, otp: "1234567" }, ["otp: OTP must be 6 digits"]],
  ["reset", resetPasswordSchema, reset, []],
  ["reset", resetPasswordSchema, { ...reset, newPassword: x(200) }, []],
  [
    ...(["reset", resetPasswordSchema, { ...reset, newPassword: x(5) }] as const),
    ["newPassword: Password must be at least 6 characters"],
  ],
  [
    ...(["reset", resetPasswordSchema, { ...reset, newPassword: x(201) }] as const),
    ["newPassword: Password must be at most 200 characters"],
  ],
  ["account", passwordAndCodeSchema, { currentPassword: x(200), totp: "1" }, []],
  ...["", x(201)].map((currentPassword): [string, z.ZodType, object, string[]] => [
    ...(["account", passwordAndCodeSchema, { currentPassword, totp: "1" }] as const),
    ["currentPassword: Password is required"],
  ]),
])("%s %#: what is entered is checked to the character", (_, schema, input, faults) => {
  expect(faultsOf(schema, input)).toEqual(faults);
});

describe("a new password", () => {
  const mismatch = "confirmPassword: Passwords don't match";

  it("is typed twice", () => {
    for (const confirmPassword of [x(13), "", undefined]) {
      const typed = { ...change, confirmPassword };
      expect(faultsOf(confirmedPasswordSchema, typed)).toEqual([mismatch]);
      expect(faultsOf(confirmedResetSchema, typed)).toEqual([mismatch]);
      expect(faultsOf(changePasswordSchema, typed)).toEqual([mismatch]);
    }
    expect(faultsOf(confirmedPasswordSchema, change)).toEqual([]);
    expect(faultsOf(changePasswordSchema, change)).toEqual([]);
  });

  it("that differs is said beside a fault of the current one, and not beside one of its own", () => {
    const current = { ...change, currentPassword: "", confirmPassword: x(7) };
    expect(faultsOf(changePasswordSchema, current)).toEqual([
      ...["currentPassword: Password is required", mismatch],
    ]);
    expect(faultsOf(changePasswordSchema, { ...current, newPassword: "x" })).toEqual([
      "currentPassword: Password is required",
      "newPassword: Password must be at least 12 characters",
    ]);
  });

  it("has 12 characters, and 6 after a mailed code", () => {
    const of = (length: number) => ({
      ...change,
      newPassword: x(length),
      confirmPassword: x(length),
    });
    const short = ["newPassword: Password must be at least 12 characters"];
    expect(faultsOf(changePasswordSchema, of(11))).toEqual(short);
    expect(faultsOf(confirmedPasswordSchema, of(11))).toEqual(short);
    expect(faultsOf(confirmedResetSchema, of(6))).toEqual([]);
    expect(faultsOf(confirmedResetSchema, of(5))).toHaveLength(1);
  });
});
