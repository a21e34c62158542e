import type { Kind } from '../ledger/records.js';
import type { Body } from './call.js';
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

/** Gives the rendered record, or undefined when there is none. */
export type Fetch = <K extends Kind>(kind: K, id: string) => Body | undefined;
/** Gives the refunds of a charge as a list. */
export type FetchRefunds = (charge: string) => Body;

/**
 * The body with the asked-for ids replaced by records, four levels deep at most. A path runs through
 * `data` in lists: data.latest_charge.
 */
export function expand(body: Body, params: Params, fetch: Fetch, refunds: FetchRefunds): Body {
  const paths = list(params, 'expand');
  if (paths === undefined) return body;
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
    if (step === 'refunds' && value.object === 'charge') {
      return { ...value, refunds: walk(refunds(String(value.id)), rest, path) };
    }
    const kind = EXPANDABLE[step];
    if (kind === undefined || present === undefined) {
      throw badParameter('expand', `This property cannot be expanded: ${path}`);
    }
    if (typeof present !== 'string') return value;
    const record = fetch(kind, present);
    return record === undefined ? value : { ...value, [step]: walk(record, rest, path) };
  }
}
