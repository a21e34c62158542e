import { Lookahead, type AheadInput, type PreviewedCharge } from './lookahead.js';

/**
 * All future charges of subscriptions that share one balance, in order, each computed on demand; endless where a
 * subscription has no end. A payment that is already open is excluded and assumed to succeed now.
 */
export function* chargesAhead(
  inputs: readonly AheadInput[],
  balance_minor = 0,
): Generator<PreviewedCharge, void> {
  const balance = { minor: balance_minor };
  const lookaheads = inputs.map((input) => new Lookahead(input));
  for (let next = nextOf(lookaheads); next !== null; next = nextOf(lookaheads)) {
    const { charge } = next.step(balance);
    if (charge !== null) yield charge;
  }
}

/** The lookahead with the earliest decision; null after the last one. */
function nextOf(lookaheads: readonly Lookahead[]): Lookahead | null {
  let next: { readonly one: Lookahead; readonly due: Date } | null = null;
  for (const one of lookaheads) {
    const { due } = one;
    if (due !== null && (next === null || due < next.due)) next = { one, due };
  }
  return next?.one ?? null;
}
