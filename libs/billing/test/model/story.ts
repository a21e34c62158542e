import type { Interval } from './calendar.js';
import type { Company, Plan } from './subscription.js';

/** A date, with the time where it is not midnight in UTC. */
export function day(at: number): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}

export function money(minor: number): string {
  return (minor / 100).toFixed(2);
}

export function opening({ zone, mode }: Company, plans: readonly Plan[], currency: string): string {
  return [
    `starts with plan A, ${currency} in hundred minor units, days of ${zone}, by ${mode}`,
    ...plans.map(planText),
  ].join('\n    ');
}

function planText({ name, price, priced, billed, prepay, prorated }: Plan): string {
  const by = everyText(priced) === everyText(billed) ? '' : `, billed ${everyText(billed)}`;
  return `${name}: ${money(price)} ${everyText(priced)}${by}${prepay ? ' in advance' : ''}${prorated ? '' : ', not prorated'}`;
}

function everyText({ unit, count }: Interval): string {
  return count === 1 ? `a ${unit}` : `every ${String(count)} ${unit}`;
}

/** Where two lists part, or two values differ; null where they do not. */
export function difference(model: unknown, service: unknown): string | null {
  const rows = (one: unknown): string[] => (Array.isArray(one) ? one.map(String) : [String(one)]);
  const [ours, theirs] = [rows(model), rows(service)];
  const at = Array.from({ length: Math.max(ours.length, theirs.length) }, (_one, index) => index).find(
    (index) => ours[index] !== theirs[index],
  );
  if (at === undefined) return null;
  const show = (one: string[]): string => one.slice(at, at + 3).join('; ') || 'nothing';
  return `  model:   ${show(ours)}\n  service: ${show(theirs)}`;
}
