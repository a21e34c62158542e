/** A payment, and the period that it is for; the rest of its amount is debt of earlier payments or a setup fee. */
export interface LedgerPayment {
  readonly key: string;
  readonly amount_minor: number;
  readonly of: string | null;
  readonly own_minor: number;
  readonly debt_minor: number;
}

/** An amount of a payment. */
export type Taken = readonly [payment: string, minor: number];

interface Account {
  owed_minor: number;
  /** Collected for the period, the newest last. */
  held: Taken[];
}

/**
 * The books of a second model: the amount that each payment collected for each period, the debt for it, and what is
 * left of each payment. Written from the rule of docs/billing-rules.md alone.
 */
export class CreditLedger {
  outstanding_minor = 0;
  /** Credits for which no money was left. */
  lost_minor = 0;
  private readonly accounts = new Map<string, Account>();
  private readonly rests = new Map<string, number>();

  /** A payment succeeds. `live` names the periods whose debt is known: the one that runs, then those ended before it. */
  pay({ key, amount_minor, of, own_minor, debt_minor }: LedgerPayment, live: readonly string[]): void {
    this.rests.set(key, amount_minor);
    this.outstanding_minor -= debt_minor;
    if (of !== null && live.includes(of)) this.hold(of, [[key, own_minor]]);
    this.payDebt(key, debt_minor, live);
  }

  /** A payment fails for good. */
  fail({ amount_minor, of, own_minor, debt_minor }: LedgerPayment): void {
    this.outstanding_minor += amount_minor - debt_minor;
    if (of !== null) this.account(of).owed_minor += own_minor;
  }

  /** A failed payment succeeds after all: what is not owed any more, or is being collected, goes back at once. */
  payLate(key: string, minor: number, collecting_minor: number, live: readonly string[]): void {
    const owed = Math.min(minor, Math.max(0, this.outstanding_minor - collecting_minor));
    this.rests.set(key, owed);
    this.outstanding_minor -= owed;
    this.payDebt(key, owed, live);
  }

  /** Money of a payment goes back. */
  giveBack(key: string, minor: number): void {
    this.rests.set(key, this.restOf(key) - minor);
  }

  /** The credit for unused days of a period: debt first, then its payments, the newest first. */
  credit(of: string, minor: number): Taken[] {
    const account = this.account(of);
    const forgiven = Math.min(minor, account.owed_minor, this.outstanding_minor);
    account.owed_minor -= forgiven;
    this.outstanding_minor -= forgiven;
    let wanted = minor - forgiven;
    const credits = new Map<string, number>();
    const kept: Taken[] = [];
    for (const [key, held] of [...account.held].reverse()) {
      const taken = Math.min(wanted, held, this.restOf(key));
      wanted -= taken;
      this.giveBack(key, taken);
      kept.unshift([key, held - taken]);
      if (taken > 0) credits.set(key, (credits.get(key) ?? 0) + taken);
    }
    account.held = kept;
    this.lost_minor += wanted;
    return [...credits];
  }

  /** Credits that were not given back pay for the period `of`: they are its oldest money. */
  move(credits: readonly Taken[], of: string): void {
    for (const [key, minor] of credits) {
      this.giveBack(key, -minor);
      const { held } = this.account(of);
      held.unshift([key, minor]);
    }
  }

  private payDebt(key: string, minor: number, live: readonly string[]): void {
    let left = minor;
    for (const of of live) {
      const account = this.account(of);
      const part = Math.min(left, account.owed_minor);
      account.owed_minor -= part;
      left -= part;
      this.hold(of, [[key, part]]);
    }
  }

  private hold(of: string, taken: readonly Taken[]): void {
    this.account(of).held.push(...taken);
  }

  private account(of: string): Account {
    const account = this.accounts.get(of) ?? { owed_minor: 0, held: [] };
    this.accounts.set(of, account);
    return account;
  }

  private restOf(key: string): number {
    return this.rests.get(key) ?? 0;
  }
}
