import { ReplyError } from 'ioredis';
import { pino } from 'pino';

import { Log } from './log.js';

/** Logs an error; returns the line, and the error in it. */
function lineOf(error: unknown): { text: string; error: any } {
  const log = new Log({ logLevel: 'info' });
  const lines: string[] = [];
  const { [pino.symbols.streamSym]: stream } = log.pino as unknown as Record<symbol, { write: unknown }>;
  stream!.write = (line: string) => lines.push(line);
  log.warn({ error }, 'Something failed');
  const [text = ''] = lines;
  return { text, error: JSON.parse(text).error };
}

describe('A logged error', () => {
  it('of Redis has its message, but neither the password nor the arguments of the command', () => {
    const command = { name: 'auth', args: ['operator', 'hunter2'] };
    const refused = Object.assign(new ReplyError('WRONGPASS invalid username-password pair'), { command });
    const { text, error } = lineOf(refused);
    expect(error).toMatchObject({ type: 'ReplyError', message: 'WRONGPASS invalid username-password pair' });
    expect(error.stack).toContain('WRONGPASS');
    expect(text).not.toContain('hunter2');
  });

  it('keeps its code and the messages of its causes and of the errors that it is made of', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', socket: {} });
    expect(lineOf(new Error('no database', { cause: refused })).error.message).toBe(
      'no database: connect ECONNREFUSED',
    );
    const { errors } = lineOf(new AggregateError([refused], 'no address')).error;
    expect(errors).toEqual([expect.objectContaining({ code: 'ECONNREFUSED', type: 'Error' })]);
    expect(errors[0]).not.toHaveProperty('socket');
    expect(lineOf('a text').error).toBe('a text');
  });
});
