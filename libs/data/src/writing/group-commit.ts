import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection } from 'mongoose';

import { isFault } from '@commerce/kernel';
import { engineOf } from '../reading/engine.js';
import { databaseTrouble, isTransactionConflict } from '../server/database-trouble.js';
import { distinctIds } from '@commerce/records';
import { OutboxSignal } from './outbox.js';
import { carryOutAtOnce, carryOutTogether, insertEvents, takesBulkWrites } from './pending-writes.js';
import { inTransaction } from '../server/transaction.js';
import type { Commit, UnitOfWork } from './unit-of-work.js';

/** Units of work in one transaction, at most. */
const LARGEST = 50;

/** The group of all companies. */
const ALL = '';

interface Waiting {
  readonly commit: Commit;
  /** `alone`: nothing was written; the unit of work is to be committed by itself. */
  readonly resolve: (outcome: 'done' | 'alone') => void;
  readonly reject: (error: unknown) => void;
}

/** The units of work that wait while transactions of their group run. */
interface Group {
  readonly waiting: Waiting[];
  running: number;
}

interface Pace {
  /** Transactions of a group that run concurrently. */
  readonly atOnce: number;
  /** While units of work come together, the next transaction waits so long for more of them. */
  readonly gatherMs: number;
}

/**
 * Group commit: one transaction for the units of work that become ready while others run. Where one of them meets
 * another writer, none is written, and each is committed by itself; no library batches writes so. On a sharded MongoDB
 * each company has its own groups, since a transaction on several shards takes a two-phase commit.
 */
class CommitQueue {
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly connection: Connection,
    private readonly signal: OutboxSignal,
    private readonly pace: Pace,
  ) {}

  async commit(work: UnitOfWork): Promise<void> {
    const commit = work.forGroup();
    if (commit === null) return work.commit();
    const name = engineOf(this.connection).isSharded ? commit.company.toHexString() : ALL;
    const outcome = await new Promise<'done' | 'alone'>((resolve, reject) => {
      this.add(name, { commit, resolve, reject });
    });
    if (outcome === 'alone') await work.commit();
  }

  private add(name: string, one: Waiting): void {
    const group = this.groups.get(name) ?? { waiting: [], running: 0 };
    this.groups.set(name, group);
    group.waiting.push(one);
    if (group.running === this.pace.atOnce) return;
    group.running += 1;
    // Units of work that the same turn of the event loop makes ready go along.
    setImmediate(() => {
      this.run(name, group).catch(() => undefined);
    });
  }

  private async run(name: string, group: Group): Promise<void> {
    const { waiting } = group;
    while (waiting.length > 0) {
      const members = waiting.splice(0, LARGEST);
      await this.commitGroup(members);
      const isBusy = members.length > 1 && waiting.length < LARGEST / 2;
      if (isBusy && this.pace.gatherMs > 0) await pause(this.pace.gatherMs);
    }
    group.running -= 1;
    if (group.running === 0) this.groups.delete(name);
  }

  /** Never rejects: each of the group is told what became of it. */
  private async commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.write(group.map(({ commit }) => commit));
      for (const { resolve } of group) resolve('done');
    } catch (error) {
      // The fault of a single unit of work is its own.
      const isOwn = group.length === 1 && isFault(error);
      const settle =
        isUndone(error) && !isOwn
          ? ({ resolve }: Waiting) => resolve('alone')
          : ({ reject }: Waiting) => reject(error);
      group.forEach(settle);
    }
  }

  private async write(commits: readonly Commit[]): Promise<void> {
    await inTransaction(this.connection, (session) => this.carryOut(commits, session), { attempts: 1 });
    const told = commits.filter(({ events }) => events.length > 0);
    for (const company of distinctIds(told.map((one) => one.company))) this.signal.notify(company);
  }

  private async carryOut(commits: readonly Commit[], session: ClientSession): Promise<void> {
    const { connection } = this;
    const writes = commits.flatMap((one) => one.writes);
    const events = commits.flatMap((one) => one.events);
    if (takesBulkWrites(connection)) return carryOutAtOnce(connection, writes, events, session);
    await carryOutTogether(connection, writes, session);
    await insertEvents(connection, events, session);
  }
}

/** Whether it is certain that nothing was committed, and each may succeed by itself. */
function isUndone(error: unknown): boolean {
  return isTransactionConflict(error) || databaseTrouble(error) === null;
}

/** The group commits of a process. */
@Injectable()
export class GroupCommit {
  /** More changes soon follow those that one job makes, so each transaction waits for them. */
  private readonly changes: CommitQueue;
  /** The first two creations of a moment do not wait for others. */
  private readonly creations: CommitQueue;

  constructor(@InjectConnection() connection: Connection, signal: OutboxSignal) {
    this.changes = new CommitQueue(connection, signal, { atOnce: 1, gatherMs: 10 });
    this.creations = new CommitQueue(connection, signal, { atOnce: 2, gatherMs: 0 });
  }

  /** As `work.commit()`, with the same faults. */
  commit(work: UnitOfWork): Promise<void> {
    return (work.isCreation ? this.creations : this.changes).commit(work);
  }
}
