/** What is entered is checked to the character. */
import { expect, it } from "vitest";
import { type FaultCases, faultText } from "#tests/support/schema-faults.ts";
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

const x = (length: number) => "x".repeat(length);

const login = { username: "asha", password: "p" };
const reset = { email: "asha@captains.example", otp: "123456", newPassword: x(6) };
const change = { currentPassword: "p", newPassword: x(12), confirmPassword: x(12) };
/** 254 characters with its domain. */
const longest = `${x(64)}@${[x(63), x(63), x(58)].join(".")}.in`;
const twice = (length: number) => ({
  ...change,
  newPassword: x(length),
  confirmPassword: x(length),
});
const mistyped = [x(13), "", undefined].map((confirmPassword) => ({ ...change, confirmPassword }));
const wrongCurrent = { ...change, currentPassword: "", confirmPassword: x(7) };

const INPUTS: FaultCases = {
  "sign-in": [
    loginSchema,
    [
      login,
      ...[` ${x(100)} `, x(101), " "].map((username) => ({ ...login, username })),
      ...["", x(200), x(201)].map((password) => ({ ...login, password })),
      ...[x(40), x(41)].map((totp) => ({ ...login, totp })),
    ],
  ],
  forgotten: [forgotPasswordSchema, [longest, `x${longest}`, "asha"].map((email) => ({ email }))],
  code: [verifyOtpSchema, [" 123456 ", "12345", "1234567"].map((otp) => ({ ...reset, otp }))],
  reset: [resetPasswordSchema, [6, 200, 5, 201].map((n) => ({ ...reset, newPassword: x(n) }))],
  account: [
    passwordAndCodeSchema,
    [x(200), "", x(201)].map((currentPassword) => ({ currentPassword, totp: "1" })),
  ],
  "a new password": [confirmedPasswordSchema, [change, ...mistyped, twice(11)]],
  "a new password after a code": [confirmedResetSchema, [...mistyped, twice(6), twice(5)]],
  "another password": [
    changePasswordSchema,
    [change, ...mistyped, twice(11), wrongCurrent, { ...wrongCurrent, newPassword: "x" }],
  ],
};

it("each form finds these faults", async () => {
  await expect(faultText(INPUTS)).toMatchFileSnapshot("golden-faults.txt");
});
