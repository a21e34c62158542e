import { type SendResult } from '@commerce/platform';
import { newId } from '@commerce/records';

import { attemptsLeft, numberInRound, type DueDelivery } from './due-delivery.js';
import { writesOf, type Outcome } from './outcomes.js';

const NOW = new Date(1_700_000_000_000);

function dueWith(values: Partial<DueDelivery> = {}): DueDelivery {
  const id = newId();
  return {
    key: id.toHexString(),
    company: 'c',
    companyId: newId(),
    webhookKey: 'w',
    id,
    webhook: newId(),
    event: newId(),
    endpointHash: 'm',
    generation: 0,
    attempt: 0,
    recorded: 0,
    round_start: 0,
    last_attempt: null,
    ...values,
  };
}

const OK: SendResult = { kind: 'answered', status: 200, reply: 'ok', retryAfter: null, durationMs: 3.2 };

function attempted(
  values: Partial<DueDelivery> = {},
  changes: Partial<Extract<Outcome, { kind: 'attempted' }>> = {},
): Outcome {
  return {
    kind: 'attempted',
    due: dueWith(values),
    at: NOW,
    result: OK,
    verdict: { kind: 'succeeded' },
    ...changes,
  };
}

/** The fields that the pipelines of these writes set. */
function changes(outcomes: Outcome[]): Record<string, unknown>[] {
  return writesOf(outcomes, NOW).map(({ update }) => {
    const [stage] = update as Record<string, unknown>[];
    return stage?.['$set'] as Record<string, unknown>;
  });
}

describe('writesOf', () => {
  it('makes few writes of deliveries that came out alike', () => {
    const outcomes = Array.from({ length: 250 }, (_, index) =>
      attempted({}, { result: { ...OK, durationMs: index / 30 } }),
    );
    const writes = writesOf(outcomes, NOW);
    expect(writes.map(({ ids }) => ids.length)).toEqual([100, 100, 50]);
    expect(JSON.stringify(writes)).toContain('"duration_ms":10');
    expect(JSON.stringify(writes)).not.toContain('$indexOfArray');
  });

  it('writes plain successes without a pipeline', () => {
    const [write] = writesOf([attempted({ attempt: 1, recorded: 1 })], NOW);
    expect(write?.update).toEqual({
      $set: { status: 'SUCCEEDED', reason: null, next_attempt: null, claimed_by: null, updated: NOW },
      $inc: { generation: 1, recorded: 1 },
      $push: {
        attempts: {
          $each: [{ number: 2, at: NOW, status: 200, error: null, reply: 'ok', duration_ms: 10 }],
          $slice: -20,
        },
      },
    });
  });

  it('makes one write of failures, in which each row finds its own dates', () => {
    const again = (durationMs: number, at: Date): Outcome =>
      attempted({}, { result: { ...OK, durationMs }, at, verdict: { kind: 'again', delayMs: 100 } });
    const outcomes = [again(3, NOW), again(95, new Date(5))];
    const [write] = writesOf(outcomes, NOW);
    expect(write?.ids).toEqual(outcomes.map(({ due: { id } }) => id));
    const text = JSON.stringify(write?.update);
    expect(text).toContain('{"$arrayElemAt":[[10,100],');
    expect(text).toContain(`{"$arrayElemAt":[["${NOW.toJSON()}","${new Date(5).toJSON()}"],`);
  });

  it('names the generation that the lease made', () => {
    expect(writesOf([attempted({ generation: 6 })], NOW)[0]?.generation).toBe(7);
  });

  it('keeps apart what differs', () => {
    const other: SendResult = {
      kind: 'answered',
      status: 200,
      reply: 'thanks',
      retryAfter: null,
      durationMs: 3,
    };
    const outcomes = [
      attempted(),
      attempted({ generation: 2 }),
      attempted({}, { result: other }),
      attempted({ attempt: 1, recorded: 0 }),
      attempted({}, { verdict: { kind: 'exhausted' } }),
    ];
    expect(writesOf(outcomes, NOW)).toHaveLength(outcomes.length);
  });

  it('takes no text of an endpoint for the name of a field', () => {
    const sly: SendResult = {
      kind: 'answered',
      status: 200,
      reply: '$endpoint',
      retryAfter: null,
      durationMs: 3,
    };
    expect(JSON.stringify(changes([attempted({ attempt: 1 }, { result: sly })]))).toContain(
      '"reply":{"$literal":"$endpoint"}',
    );
  });

  it('sets the dates of the next attempts', () => {
    const failed: SendResult = { kind: 'failed', reason: 'timeout', detail: 'too late', durationMs: 10_001 };
    const again = (delayMs: number): Outcome =>
      attempted({}, { result: failed, verdict: { kind: 'again', delayMs } });
    expect(changes([again(30_000)])[0]).toMatchObject({
      status: 'PENDING',
      next_attempt: new Date(NOW.getTime() + 30_000),
    });
    expect(changes([again(30_000), again(31_000)])[0]?.['next_attempt']).toMatchObject({
      $arrayElemAt: [[new Date(NOW.getTime() + 30_000), new Date(NOW.getTime() + 31_000)], expect.anything()],
    });
  });

  it('records attempts in which a worker died', () => {
    const [change] = changes([attempted({ attempt: 3, recorded: 1 })]);
    expect(change?.['recorded']).toEqual({ $add: ['$recorded', 3] });
    expect(JSON.stringify(change?.['attempts']).match(/"interrupted"/g)).toHaveLength(2);
  });

  it('counts no attempt of what was given back or dropped', () => {
    const [released] = changes([{ kind: 'released', due: dueWith(), waitMs: 0 }]);
    expect(released).toMatchObject({
      attempt: { $add: ['$attempt', -1] },
      next_attempt: NOW,
      claimed_by: null,
    });
    expect(released).not.toHaveProperty('status');
    const [dropped] = changes([{ kind: 'dropped', due: dueWith(), reason: 'webhook_deleted' }]);
    expect(dropped).toMatchObject({
      attempt: { $add: ['$attempt', -1] },
      status: 'DROPPED',
      reason: 'webhook_deleted',
      next_attempt: null,
    });
  });

  it('ends what workers died in five times', () => {
    const [change] = changes([{ kind: 'used_up', due: dueWith({ attempt: 5, recorded: 4 }), at: NOW }]);
    expect(change).toMatchObject({
      status: 'EXHAUSTED',
      next_attempt: null,
      attempt: { $add: ['$attempt', -1] },
    });
    expect(change?.['recorded']).toEqual({ $add: ['$recorded', 1] });
  });
});

describe('the attempts of a delivery', () => {
  it('are five with four waits, also when they all crashed', () => {
    expect([0, 1, 2, 3, 4, 5].map((attempt) => attemptsLeft(dueWith({ attempt }), 4))).toEqual([
      5, 4, 3, 2, 1, 0,
    ]);
  });

  it('begin again with a replay', () => {
    const replayed = dueWith({ attempt: 5, round_start: 5 });
    expect(attemptsLeft(replayed, 4)).toBe(5);
    expect(numberInRound(replayed)).toBe(1);
  });

  it('are one more when an operator asks for it', () => {
    expect(attemptsLeft(dueWith({ attempt: 5, last_attempt: 6 }), 4)).toBe(1);
    expect(attemptsLeft(dueWith({ attempt: 1, last_attempt: 2 }), 4)).toBe(1);
    expect(attemptsLeft(dueWith({ attempt: 6, last_attempt: 6 }), 4)).toBe(0);
  });
});
