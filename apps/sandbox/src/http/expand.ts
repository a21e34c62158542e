import type { Kind } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { type Body, render } from '../resources/render.js';

import { listBody } from './lists.js';
import { list, type Params } from './params.js';
import { badParameter } from './refusal.js';

/** Fields whose id may be replaced by the record itself, and the kind of that record. */
const EXPANDABLE: Readonly<Partial<Record<string, Kind>>> = {
  customer: 'customer',
  payment_method: 'payment_method',
  default_payment_method: 'payment_method',
  payment_intent: 'payment_intent',
  latest_charge: 'charge',
  charge: 'charge',
};

/** Replaces the ids that `expand` names by records; a path such as data.latest_charge runs through lists. */
export function expand(body: Body, params: Params, tx: Transaction): Body {
  const paths = list(params, 'expand') ?? [];
  return paths.reduce((expanded, path) => {
    const steps = path.split('.');
    if (steps.length > 4) throw badParameter('expand', 'At most four levels are expanded');
    return walk(expanded, steps, path);
  }, body);

  function walk(value: Body, [step, ...rest]: readonly string[], path: string): Body {
    if (step === undefined) return value;
    const present = value[step];
    if (Array.isArray(present))
      return { ...value, [step]: present.map((each: Body) => walk(each, rest, path)) };
    if (typeof present === 'object' && present !== null)
      return { ...value, [step]: walk(present as Body, rest, path) };
    if (step === 'refunds' && value.object === 'charge') return { ...value, refunds: refundsOf(value) };
    const kind = EXPANDABLE[step];
    if (kind === undefined || present === undefined) {
      throw badParameter('expand', `This property cannot be expanded: ${path}`);
    }
    const record = typeof present === 'string' ? tx.get(kind, present) : undefined;
    return record === undefined ? value : { ...value, [step]: walk(render(record, tx), rest, path) };
  }

  function refundsOf({ id }: Body): Body {
    const refunds = tx.ledger.list('refund', String(id)).reverse();
    return listBody(
      `/v1/charges/${String(id)}/refunds`,
      refunds.map((refund) => render(refund, tx)),
    );
  }
}
