/** What the operations count. */
import type { FailureCode } from "#app/model/outcome.ts";

export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void;
  /** `outcome` is `booked`, `repeated` or the code of a refusal. */
  booking(outcome: string): void;
  /** What became of a payment when it was applied. */
  payment(outcome: string): void;
  /** A request was refused before its route was asked; `reason` is the code of the refusal. */
  refused(reason: FailureCode): void;
  /** The event loop stood still for more than 200 ms in one turn. */
  slowTurn(route: string): void;
  text(): Promise<string>;
  close(): void;
}
