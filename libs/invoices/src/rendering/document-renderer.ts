import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { OnApplicationShutdown } from '@nestjs/common';
import { Fault, fault } from '@commerce/kernel';
import { BulkheadFullError, FairBulkhead, type BulkheadLimits, type WorkOwner } from '@commerce/platform';

import type { DocumentReply, DocumentRequest } from './document-request.js';

export interface RenderingLimits {
  /** For one document, and for its wait until it is its turn. */
  readonly timeoutMs: number;
  /** How many documents are made, and wait. */
  readonly places: BulkheadLimits;
  /** The memory, in bytes, from which on the next document gets a new process. */
  readonly memory: number;
  /** The time without documents after which the process ends. */
  readonly idleMs: number;
}

export const RENDERING_LIMITS: RenderingLimits = {
  timeoutMs: 15_000,
  places: { running: 1, waiting: 200, perCompany: 20, perCustomer: 5 },
  memory: 512 * 1024 * 1024,
  idleMs: 60_000,
};

const HEAP_MB = 128;
const RETRY_AFTER_MS = 2000;

/**
 * Makes documents in a process of its own, one at a time, for companies and their customers in turn. Typst is native code, which occupies its thread, and which
 * neither ends nor gives memory back because a thread is told so: a process can be killed, and none of it is lost.
 */
export class DocumentRenderer implements OnApplicationShutdown {
  private child: ChildProcess | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly turns: FairBulkhead;

  constructor(
    private readonly limits: RenderingLimits = RENDERING_LIMITS,
    private readonly script: string = SCRIPT,
  ) {
    this.turns = new FairBulkhead(limits.places);
  }

  /**
   * @throws Fault `invoice.incomplete`, or `service.overloaded` where too many documents wait or one takes too long
   */
  async render(owner: WorkOwner, request: DocumentRequest): Promise<Buffer> {
    const since = performance.now();
    try {
      return await this.turns.run(owner, () => {
        if (performance.now() - since > this.limits.timeoutMs) throw overloaded();
        return this.take(request);
      });
    } catch (error) {
      throw error instanceof BulkheadFullError ? overloaded() : error;
    }
  }

  onApplicationShutdown(): void {
    this.end();
  }

  private async take(request: DocumentRequest): Promise<Buffer> {
    clearTimeout(this.idle);
    const reply = await this.ask(this.started(), request);
    if (reply.kind === 'made' && reply.memory > this.limits.memory) this.end();
    else this.idle = setTimeout(() => this.end(), this.limits.idleMs).unref();
    switch (reply.kind) {
      case 'made':
        return Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength);
      case 'refused':
        throw new Fault(reply.code, reply.message, reply.details);
      case 'failed':
        throw new Error(`the document could not be made: ${reply.error}`);
    }
  }

  private started(): ChildProcess {
    this.child ??= fork(this.script, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${String(HEAP_MB)}`],
      // Typst would lay out with as many threads as there are processors.
      env: { RAYON_NUM_THREADS: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return this.child;
  }

  private ask(child: ChildProcess, request: DocumentRequest): Promise<DocumentReply> {
    return new Promise<DocumentReply>((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = (reply: DocumentReply): void => settle(() => resolve(reply));
      const onError = (error: Error): void => settle(() => this.abandon(child, () => reject(error)));
      const onExit = (code: number | null, signal: string | null): void =>
        onError(new Error(`the rendering process ended (${String(signal ?? code)})`));
      const timer = setTimeout(
        () => settle(() => this.abandon(child, () => reject(overloaded()))),
        this.limits.timeoutMs,
      );
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      child.send(request, (error) => {
        if (error !== null) onError(error);
      });
    });
  }

  private abandon(child: ChildProcess, then: () => void): void {
    if (this.child === child) this.end();
    then();
  }

  /** Ends the process; the next document starts another. */
  private end(): void {
    const { child } = this;
    clearTimeout(this.idle);
    this.child = null;
    // A process that no longer starts reports an error, which nobody waits for any more.
    child?.on('error', () => undefined).kill('SIGKILL');
  }
}

function overloaded(): Fault {
  const message = 'Too many documents are being made right now; try again';
  return fault('service.overloaded', message, { retry_after_ms: RETRY_AFTER_MS });
}

/** The compiled script, also where a test runs the sources. */
const SCRIPT = fileURLToPath(new URL('./document-process.js', compiled(import.meta.url)));

function compiled(url: string): string {
  return url.endsWith('.ts') ? url.replace(/\/libs\/(?!.*\/libs\/)/, '/dist/libs/') : url;
}
