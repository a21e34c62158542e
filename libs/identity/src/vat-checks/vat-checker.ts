import { Injectable } from '@nestjs/common';
import { isVatIdOfVies, viesNumberOf } from '@commerce/kernel';
import { Log } from '@commerce/platform';

import { Companies } from '../companies/companies.service.js';
import type { UserRecord } from '../users/user.record.js';
import { ViesClient, type ViesAnswer } from './vies-client.js';

/** Asks VIES about the VAT id of a user, for the company whose customer the user is. */
@Injectable()
export class VatChecker {
  constructor(
    private readonly companies: Companies,
    private readonly vies: ViesClient,
    private readonly log: Log,
  ) {}

  get isConfigured(): boolean {
    return this.vies.isConfigured;
  }

  /** Null where nothing is to be asked: VIES does not know the form, or no tax depends on the id. */
  async ask({ company, billing, deleted, _id }: UserRecord): Promise<ViesAnswer | null> {
    const { tax, seller } = await this.companies.get(company);
    const vat_id = billing?.vat_id ?? null;
    if (vat_id === null || deleted || tax.mode !== 'eu' || !isVatIdOfVies(vat_id)) return null;
    const own = seller?.vat_id ?? null;
    const answer = await this.vies.check(viesNumberOf(vat_id), own === null ? null : viesNumberOf(own));
    if (answer.kind === 'unavailable') {
      this.log.warn({ user: _id.toHexString(), reason: answer.reason }, 'VIES gave no answer about a VAT id');
    }
    return answer;
  }
}
