/** Acts one history: the visitor, the bank behind, and the admin who steps in. */
import type { PayResult, Proof } from "#scripts/sandbox/razorpay/payer.ts";
import type { Caller } from "./caller.ts";
import type { History, ProofKind, Step } from "./plan.ts";
import type { Stage, Trail } from "./stage.ts";

type AdminStep = Extract<
  Step,
  { do: "move" | "cancel" | "delete" | "retry_refunds" | "resend" | "refund" }
>;

export async function actHistory(stage: Stage, history: History): Promise<Trail> {
  const trail: Trail = {
    history,
    appointmentId: null,
    orderIds: new Set(),
    paymentIds: [],
    answeredConfirmed: false,
    answeredDeleted: false,
    refundKeys: 0,
    answeredRefunds: new Set(),
  };
  const act = new Act(stage, trail);
  for (const step of history.steps) {
    if (!(await act.take(step))) break;
  }
  return trail;
}

class Act {
  readonly #stage: Stage;
  readonly #trail: Trail;
  #last: PayResult | null = null;
  #orderId: string | null = null;

  constructor(stage: Stage, trail: Trail) {
    this.#stage = stage;
    this.#trail = trail;
  }

  /** False ends the history: without a booking nothing follows. */
  async take(step: Step): Promise<boolean> {
    switch (step.do) {
      case "wait":
        await new Promise((resolve) => setTimeout(resolve, step.ms));
        return true;
      case "book":
        return this.#book(step.sentTwice);
      case "order":
        await Promise.all(Array.from({ length: step.times }, () => this.#order()));
        return true;
      case "pay":
        this.#pay(step);
        return true;
      case "prove":
        await this.#prove(step);
        return true;
      case "capture":
        this.#capture();
        return true;
      case "own_move":
      case "own_cancel":
        await this.#ownChange(step.do);
        return true;
      default:
        await this.#byAdmin(step);
        return true;
    }
  }

  /** The same key on every try, as a client that never saw the answer does. */
  async #book(sentTwice: boolean): Promise<boolean> {
    const { number, request, otherTimes } = this.#trail.history;
    for (const [i, timeSlot] of [request.timeSlot, ...otherTimes].entries()) {
      const submit = () =>
        this.#call("/api/appointments", {
          json: { ...request, timeSlot },
          headers: { "Idempotency-Key": `key-${number}-${i}` },
        });
      const answers = await Promise.all(sentTwice ? [submit(), submit()] : [submit()]);
      const [id, ...more] = answers
        .filter((answer) => answer?.httpStatus === 201)
        .map((answer) => answer?.data.id as string);
      if (more.some((other) => other !== id)) this.#fault("one key made two bookings");
      if (id !== undefined) {
        this.#trail.appointmentId = id;
        return true;
      }
      if (!answers.every((answer) => answer?.code === "slot_taken")) return false;
    }
    return false;
  }

  async #order(): Promise<void> {
    const answer = await this.#call("/api/payments/create-order", {
      json: { appointmentId: this.#trail.appointmentId },
    });
    if (answer?.httpStatus !== 200) return;
    this.#orderId = answer.data.orderId as string;
    this.#trail.orderIds.add(this.#orderId);
  }

  #pay(step: Extract<Step, { do: "pay" }>): void {
    if (!this.#orderId) return;
    const { outcome, amount, force, silent, lateMs } = step;
    const { sandbox, diary } = this.#stage.world;
    try {
      const paid = sandbox.pay(this.#orderId, {
        outcome,
        force,
        webhooks: !silent,
        afterSeconds: (lateMs * sandbox.clock.scale) / 1000,
        ...(amount === undefined ? {} : { amount }),
      });
      this.#last = paid;
      this.#trail.paymentIds.push(paid.razorpay_payment_id);
      this.#stage.proofs.push(paid);
      const about = `${paid.razorpay_payment_id} ${amount ?? ""}${silent ? " without webhooks" : ""}`;
      diary.note(this.#trail.history.number, `pays: ${outcome} ${about}`);
    } catch (error) {
      diary.note(this.#trail.history.number, `cannot pay: ${(error as Error).message}`);
    }
  }

  async #prove(step: Extract<Step, { do: "prove" }>): Promise<void> {
    const proof = this.#proof(step.proof);
    if (!proof) return;
    const once = () =>
      step.over === "verify" ? this.#verify(proof, step.proof) : this.#callback(proof);
    if (step.together) await Promise.all(Array.from({ length: step.times }, once));
    else for (let i = 0; i < step.times; i++) await once();
  }

  #proof(kind: ProofKind): Proof | null {
    if (!this.#last) return null;
    const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = this.#last;
    const own = { razorpay_order_id, razorpay_payment_id, razorpay_signature };
    if (kind === "wrong_signature") return { ...own, razorpay_signature: "0".repeat(64) };
    if (kind === "own") return own;
    const other = this.#stage.proofs.find((proof) => proof.razorpay_order_id !== razorpay_order_id);
    return other ?? null;
  }

  async #verify(proof: Proof, kind: ProofKind): Promise<void> {
    const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = proof;
    const answer = await this.#call("/api/payments/verify", {
      json: {
        razorpay_order_id,
        razorpay_payment_id,
        razorpay_signature,
        appointmentId: this.#trail.appointmentId,
      },
    });
    if (answer?.httpStatus !== 200) return;
    if (kind !== "own") this.#fault(`a proof with ${kind} was taken`);
    if (answer.data.status === "confirmed") this.#trail.answeredConfirmed = true;
  }

  async #callback(proof: Proof): Promise<void> {
    const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = proof;
    await this.#post(
      `/payments/callback?booking=${this.#trail.appointmentId}`,
      { razorpay_order_id, razorpay_payment_id, razorpay_signature },
      { Origin: "https://api.razorpay.com", "Sec-Fetch-Site": "cross-site" },
    );
  }

  /** On the booking's own page, with the address it was booked with. */
  async #ownChange(what: "own_move" | "own_cancel"): Promise<void> {
    const { appointmentId, history } = this.#trail;
    const { email } = history.request;
    if (what === "own_cancel") await this.#post(`/booking/${appointmentId}/cancel`, { email });
    else {
      const time = this.#stage.nextMove();
      await this.#post(`/booking/${appointmentId}/reschedule`, { email, ...time });
    }
  }

  async #post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    await this.#call(path, {
      body: new URLSearchParams(form).toString(),
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Accept: "text/html",
        ...headers,
      },
    });
  }

  /** At the provider, without a call of the app. */
  #capture(): void {
    const { sandbox, diary } = this.#stage.world;
    const payment = this.#last && sandbox.ledger.payments.get(this.#last.razorpay_payment_id);
    if (!payment) return;
    try {
      sandbox.ledger.capture(payment, payment.amount);
      diary.note(this.#trail.history.number, `at the provider: capture ${payment.id}`);
    } catch (error) {
      diary.note(this.#trail.history.number, `capture refused: ${(error as Error).message}`);
    }
  }

  async #byAdmin(step: AdminStep): Promise<void> {
    const { desk, nextMove } = this.#stage;
    const { appointmentId: id, history } = this.#trail;
    if (!id) return;
    const who = history.number;
    switch (step.do) {
      case "move":
        await desk.move(who, id, nextMove());
        return;
      case "retry_refunds":
        await desk.retryRefunds(who, id);
        return;
      case "refund":
        await this.#refund(id, step);
        return;
      case "delete": {
        const answer = await desk.delete(who, id);
        if (answer?.httpStatus === 200) this.#trail.answeredDeleted = true;
        return;
      }
      default:
        await desk[step.do](who, id);
    }
  }

  /** A part of the money, asked for several times at once under one key. */
  async #refund(id: string, { amount, times }: Extract<Step, { do: "refund" }>): Promise<void> {
    const trail = this.#trail;
    trail.refundKeys += 1;
    const key = `refund-${trail.history.number}-${trail.refundKeys}`;
    const submit = () => this.#stage.desk.refund(trail.history.number, id, amount, key);
    const answers = await Promise.all(Array.from({ length: times }, submit));
    const ids = answers.map((answer) => answer?.data?.refund?.refundId).filter(Boolean);
    if (new Set(ids).size > 1) this.#fault(`one key made two refunds: ${ids.join(", ")}`);
    for (const refundId of ids) trail.answeredRefunds.add(refundId);
  }

  #fault(what: string): void {
    this.#stage.caller.faults.push({ who: this.#trail.history.number, what });
  }

  #call(path: string, init: Parameters<Caller["call"]>[2]) {
    return this.#stage.caller.call(this.#trail.history.number, path, init);
  }
}
