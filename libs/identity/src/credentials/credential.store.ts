import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { RecordStore, RowCollection, isDuplicate, type UnitOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { BY_COMPANY_ID, InjectRecord, hydrate, type Id, type RecordModel } from '@commerce/records';
import type { mongo } from 'mongoose';

import { CredentialRecord } from './credential.record.js';
import { isLive } from './key.rules.js';

/**
 * Counts how often a company's keys were created by others, rolled or revoked: every decision on several keys writes
 * it.
 */
interface Turn {
  readonly _id: Id;
  readonly taken: number;
}

const TURNS = new RowCollection<Turn>('key_turns', { sharding: BY_COMPANY_ID });

@Injectable()
export class CredentialStore extends RecordStore<CredentialRecord> {
  constructor(
    @InjectRecord(CredentialRecord) model: RecordModel,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
  ) {
    super(model, CredentialRecord);
  }

  /** Not by company: the key identifies the company of a request. */
  async byId(id: Id): Promise<CredentialRecord | null> {
    const found = await this.model.findOne({ _id: id }).lean<object>();
    return found === null ? null : hydrate(CredentialRecord, found);
  }

  /** Records the use of a key, for information only; no request waits for it. */
  async used(id: Id, at: Date): Promise<void> {
    await this.model.collection.updateOne({ _id: id }, { $set: { last_used: at } });
  }

  /**
   * Serializes decisions on several keys of a company; called before keys are read. The commit fails with
   * `record.conflict` when another was faster, so that no key escapes the revocation of its maker.
   */
  async takeTurn(work: UnitOfWork): Promise<void> {
    const { company } = work;
    const seen = await this.turns.findOne({ _id: company });
    work.also(async (session) => {
      if (seen === null) {
        await this.turns.insertOne({ _id: company, taken: 1 }, { session }).catch((error: unknown) => {
          throw isDuplicate(error) ? conflict() : error;
        });
        return;
      }
      const mine = { _id: company, taken: seen.taken };
      const { matchedCount } = await this.turns.updateOne(mine, { $inc: { taken: 1 } }, { session });
      if (matchedCount === 0) throw conflict();
    });
  }

  /**
   * Enforces the limit of keys per company, within `takeTurn`.
   * @throws Fault `key.too_many` where the limit is reached
   */
  async requireRoom({ company, now }: UnitOfWork): Promise<void> {
    const { keysPerCompany: most } = this.config.limits;
    if (most === 0) return;
    const live = await this.in(company).count({
      revoked: null,
      $or: [{ expires: null }, { expires: { $gt: now } }],
    });
    if (live < most) return;
    const message = `A company may have at most ${String(most)} keys; revoke one that is not needed`;
    throw fault('key.too_many', message, { limit: most });
  }

  /** The live keys that a key made itself. */
  async madeBy(company: Id, makers: readonly Id[], now: Date): Promise<CredentialRecord[]> {
    const made = await this.in(company).many({ made_by: { $in: [...makers] }, revoked: null });
    return made.filter((key) => isLive(key, now));
  }

  /** The live keys that end with a key: those that it made, those that they made, and so on. */
  async endingWith(company: Id, key: Id, now: Date): Promise<CredentialRecord[]> {
    const all: CredentialRecord[] = [];
    for (let makers = [key]; makers.length > 0;) {
      const made = await this.madeBy(company, makers, now);
      all.push(...made);
      makers = made.map(({ _id }) => _id);
    }
    return all;
  }

  private get turns(): mongo.Collection<Turn> {
    return TURNS.in(this.model.db);
  }
}

function conflict(): Error {
  return fault('record.conflict', 'The keys of the company were changed by another request; try again');
}
