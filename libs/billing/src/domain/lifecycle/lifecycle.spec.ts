import { readFileSync } from 'node:fs';
import { EVENT_KINDS } from '@commerce/kernel';
import { edgeEvent, LIFECYCLE, allowedActions, type Edge } from './lifecycle.js';
import { SUBSCRIPTION_STATUSES } from './subscription-state.js';

/** A line of the state diagram in the documentation. */
function lineOf({ from, by, when, to }: Edge): string {
  return `${from ?? '[*]'} --> ${to}: ${by}${when === null ? '' : ` (${when})`}`;
}

describe('the lifecycle', () => {
  it('matches its diagram in docs/billing-rules.md', () => {
    const rules = readFileSync('docs/billing-rules.md', 'utf8');
    const [, diagram = ''] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(rules) ?? [];
    const drawn = diagram
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.endsWith('--> [*]'));
    expect(drawn).toEqual(LIFECYCLE.map(lineOf));
  });

  it('reaches every status, and sends events that exist', () => {
    expect(new Set(LIFECYCLE.map(({ to }) => to))).toEqual(new Set(SUBSCRIPTION_STATUSES));
    for (const { event } of LIFECYCLE) expect(EVENT_KINDS).toContain(event);
  });

  it('has no edge out of a final status', () => {
    expect(LIFECYCLE.filter(({ from }) => from === 'CANCELLED' || from === 'COMPLETED')).toEqual([]);
  });

  it('has one event for each change of status', () => {
    for (const one of LIFECYCLE.filter(({ from }) => from !== null)) {
      const same = LIFECYCLE.filter(({ from, to }) => from === one.from && to === one.to);
      expect(new Set(same.map(({ event }) => event)).size).toBe(1);
    }
  });

  it('has no other changes', () => {
    expect(() => edgeEvent('PAUSED', 'end', 'COMPLETED')).toThrow(RangeError);
  });

  it('allows an active one that only waits for its last payment nothing', () => {
    const now = new Date('2025-05-01');
    expect(allowedActions({ status: 'ACTIVE', active: false }, now)).toEqual([]);
  });
});
