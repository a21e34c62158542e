import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { engineOf } from '../reading/engine.js';
import { databaseTrouble, isTransactionConflict } from '../server/database-trouble.js';
import { distinctIds } from '@commerce/records';
import { OutboxSignal } from './outbox.js';
import { carryOutTogether, insertEvents } from './pending-writes.js';
import { inTransaction } from '../server/transaction.js';
import type { Commit, UnitOfWork } from './unit-of-work.js';

/** Units of work in one transaction, at most. */
const LARGEST = 50;

/** While units of work come together, the next transaction waits so long for more of them. */
const GATHER_MS = 10;

/** The group of all companies. */
const ALL = '';

interface Waiting {
  readonly commit: Commit;
  /** `alone`: nothing was written; the unit of work is to be committed by itself. */
  readonly resolve: (outcome: 'done' | 'alone') => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: one transaction for the units of work that become ready while the one before it runs. Where one of them
 * meets another writer, none is written, and each is committed by itself; no library batches writes so. On a sharded
 * MongoDB each company has its own groups, since a transaction on several shards takes a two-phase commit.
 */
@Injectable()
export class GroupCommit {
  /** The units of work that wait, by group, while a transaction of the group runs. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly signal: OutboxSignal,
  ) {}

  /** As `work.commit()`, with the same faults. */
  async commit(work: UnitOfWork): Promise<void> {
    const commit = work.forGroup();
    if (commit === null) return work.commit();
    const group = engineOf(this.connection).isSharded ? commit.company.toHexString() : ALL;
    const outcome = await new Promise<'done' | 'alone'>((resolve, reject) => {
      this.add(group, { commit, resolve, reject });
    });
    if (outcome === 'alone') await work.commit();
  }

  private add(group: string, one: Waiting): void {
    const running = this.waiting.get(group);
    if (running !== undefined) {
      running.push(one);
      return;
    }
    const waiting = [one];
    this.waiting.set(group, waiting);
    // Units of work that the same turn of the event loop makes ready go along.
    setImmediate(() => {
      this.run(group, waiting).catch(() => undefined);
    });
  }

  private async run(group: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const members = waiting.splice(0, LARGEST);
      await this.commitGroup(members);
      const isBusy = members.length > 1 && waiting.length < LARGEST / 2;
      if (isBusy) await pause(GATHER_MS);
    }
    this.waiting.delete(group);
  }

  /** Never rejects: each of the group is told what became of it. */
  private async commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.write(group.map(({ commit }) => commit));
      for (const { resolve } of group) resolve('done');
    } catch (error) {
      const settle = isUndone(error)
        ? ({ resolve }: Waiting) => resolve('alone')
        : ({ reject }: Waiting) => reject(error);
      group.forEach(settle);
    }
  }

  private async write(commits: readonly Commit[]): Promise<void> {
    const writes = commits.flatMap((one) => one.writes);
    const events = commits.flatMap((one) => one.events);
    await inTransaction(
      this.connection,
      async (session) => {
        await carryOutTogether(writes, session);
        await insertEvents(this.connection, events, session);
      },
      { attempts: 1 },
    );
    for (const company of distinctIds(commits.map((one) => one.company))) this.signal.notify(company);
  }
}

/** Whether it is certain that nothing was committed, and each may succeed by itself. */
function isUndone(error: unknown): boolean {
  return isTransactionConflict(error) || databaseTrouble(error) === null;
}
