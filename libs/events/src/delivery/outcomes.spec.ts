import { newId, type SendResult } from '@commerce/platform';

import { writesOf, type Outcome } from './outcomes.js';
import { attemptsLeft, numberInRound, type Ticket } from './ticket.js';

const NOW = new Date(1_700_000_000_000);

function ticket(values: Partial<Ticket> = {}): Ticket {
  const id = newId();
  return {
    key: id.toHexString(),
    company: 'c',
    lane: 'w',
    id,
    webhook: newId(),
    event: newId(),
    mark: 'm',
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
  values: Partial<Ticket> = {},
  changes: Partial<Extract<Outcome, { kind: 'attempted' }>> = {},
): Outcome {
  return {
    kind: 'attempted',
    ticket: ticket(values),
    at: NOW,
    result: OK,
    verdict: { kind: 'succeeded' },
    ...changes,
  };
}

describe('writesOf', () => {
  it('makes one write of deliveries that fared alike', () => {
    const writes = writesOf(
      Array.from({ length: 50 }, () => attempted()),
      NOW,
    );
    expect(writes).toHaveLength(1);
    expect(writes[0]?.ids).toHaveLength(50);
    expect(writes[0]?.update['$set']).toMatchObject({
      status: 'SUCCEEDED',
      next_attempt: null,
      claimed_by: null,
    });
    expect(writes[0]?.update['$push']).toEqual({
      attempts: {
        $each: [{ number: 1, at: NOW, status: 200, error: null, duration_ms: 10, reply: 'ok' }],
        $slice: -20,
      },
    });
  });

  it('names the generation that the claim made', () => {
    expect(writesOf([attempted({ generation: 6 })], NOW)[0]?.generation).toBe(7);
  });

  it('keeps apart what differs', () => {
    const other: SendResult = { ...OK, reply: 'thanks' };
    const writes = writesOf(
      [
        attempted(),
        attempted({ generation: 2 }),
        attempted({}, { result: other }),
        attempted({ attempt: 1, recorded: 1 }),
      ],
      NOW,
    );
    expect(writes).toHaveLength(4);
  });

  it('sets the date of the next attempt', () => {
    const failed: SendResult = { kind: 'failed', reason: 'timeout', detail: 'too late', durationMs: 10_001 };
    const [write] = writesOf(
      [attempted({}, { result: failed, verdict: { kind: 'again', delayMs: 30_000 } })],
      NOW,
    );
    expect(write?.update['$set']).toMatchObject({
      status: 'PENDING',
      next_attempt: new Date(NOW.getTime() + 30_000),
    });
    expect(write?.update['$push']).toMatchObject({
      attempts: { $each: [{ status: null, error: 'timeout: too late', duration_ms: 10_010, reply: null }] },
    });
  });

  it('writes down attempts in which a worker died', () => {
    const [write] = writesOf([attempted({ attempt: 3, recorded: 1 })], NOW);
    const { $each } = (
      write?.update['$push'] as { attempts: { $each: { number: number; error: string | null }[] } }
    ).attempts;
    expect($each.map(({ number, error }) => [number, error])).toEqual([
      [2, 'interrupted'],
      [3, 'interrupted'],
      [4, null],
    ]);
    expect(write?.update['$inc']).toEqual({ generation: 1, recorded: 3 });
  });

  it('counts no attempt of what was given back or dropped', () => {
    const [released] = writesOf([{ kind: 'released', ticket: ticket(), due: NOW }], NOW);
    expect(released?.update['$inc']).toEqual({ generation: 1, attempt: -1 });
    expect(released?.update['$set']).toMatchObject({ next_attempt: NOW, claimed_by: null });
    const [dropped] = writesOf([{ kind: 'dropped', ticket: ticket(), reason: 'webhook_deleted' }], NOW);
    expect(dropped?.update['$inc']).toEqual({ generation: 1, attempt: -1 });
    expect(dropped?.update['$set']).toMatchObject({ status: 'DROPPED', reason: 'webhook_deleted' });
  });

  it('ends what workers died in five times', () => {
    const [write] = writesOf(
      [{ kind: 'used_up', ticket: ticket({ attempt: 5, recorded: 4 }), at: NOW }],
      NOW,
    );
    expect(write?.update['$set']).toMatchObject({ status: 'EXHAUSTED', next_attempt: null });
    expect(write?.update['$inc']).toEqual({ generation: 1, recorded: 1, attempt: -1 });
  });
});

describe('the attempts of a delivery', () => {
  it('are five with four waits, also when they all crashed', () => {
    expect([0, 1, 2, 3, 4, 5].map((attempt) => attemptsLeft(ticket({ attempt }), 4))).toEqual([
      5, 4, 3, 2, 1, 0,
    ]);
  });

  it('begin again with a replay', () => {
    const replayed = ticket({ attempt: 5, round_start: 5 });
    expect(attemptsLeft(replayed, 4)).toBe(5);
    expect(numberInRound(replayed)).toBe(1);
  });

  it('are one more when an operator asks for it', () => {
    expect(attemptsLeft(ticket({ attempt: 5, last_attempt: 6 }), 4)).toBe(1);
    expect(attemptsLeft(ticket({ attempt: 1, last_attempt: 2 }), 4)).toBe(1);
    expect(attemptsLeft(ticket({ attempt: 6, last_attempt: 6 }), 4)).toBe(0);
  });
});
