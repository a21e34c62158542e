import type { Dispatcher } from 'undici';

import { failureOf, type SendResult } from './send-result.js';

const MAX_REPLY = 64 * 1024;
const KEPT_REPLY = 2 * 1024;

/** The reason why a connection was given up, so that it is not mistaken for an error of the endpoint. */
class Abandoned extends Error {
  readonly code = 'GIVEN_UP';
}

/**
 * One request and its reply. One deadline runs over connecting, headers and body together: a limit on the gaps
 * between bytes would let an endpoint that sends one byte now and then hold a place for ever.
 *
 * The status line decides what came of the call. A reply that is too long or breaks off after it changes nothing;
 * a reply that is not whole when the deadline comes is a timeout.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | null = null;
  private done = false;
  private status = 0;
  private retryAfter: string | null = null;
  private length = 0;
  private kept: Buffer[] = [];

  constructor(
    totalMs: number,
    private readonly settle: (result: SendResult) => void,
  ) {
    this.deadline = setTimeout(() => {
      this.fail('timeout', `no whole answer within ${String(totalMs)} ms`);
      this.drop();
    }, totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The deadline came while the request waited for a connection: it must not be sent any more.
    if (this.done) this.drop();
  }

  onRequestUpgrade(): void {
    this.fail('protocol', 'the endpoint switched to another protocol');
    this.drop();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Statuses of 1XX announce the one that counts.
    if (status < 200) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter.slice(0, 100);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = KEPT_REPLY - this.length;
    // Copied, because a slice would keep the whole chunk in memory.
    if (room > 0) this.kept.push(Buffer.from(chunk.subarray(0, room)));
    this.length += chunk.length;
    if (this.length <= MAX_REPLY) return;
    this.answer();
    this.drop();
  }

  onResponseEnd(): void {
    this.answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.status > 0) {
      this.answer();
      return;
    }
    const { reason, detail } = failureOf(error);
    this.fail(reason, detail);
  }

  private answer(): void {
    const reply = this.kept.length === 0 ? '' : wholeText(Buffer.concat(this.kept));
    this.end({
      kind: 'answered',
      status: this.status,
      reply,
      retryAfter: this.retryAfter,
      durationMs: this.age(),
    });
  }

  private fail(reason: Extract<SendResult, { kind: 'failed' }>['reason'], detail: string): void {
    this.end({ kind: 'failed', reason, detail, durationMs: this.age() });
  }

  private end(result: SendResult): void {
    if (this.done) return;
    this.done = true;
    clearTimeout(this.deadline);
    this.kept = [];
    this.settle(result);
  }

  private drop(): void {
    this.controller?.abort(new Abandoned('given up'));
  }

  private age(): number {
    return performance.now() - this.startedAt;
  }
}

/** Text of bytes that may have been cut within a character. */
function wholeText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
