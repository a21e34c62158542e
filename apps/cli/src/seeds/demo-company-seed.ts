import { Injectable } from '@nestjs/common';
import { Companies, Keys, type CompanyRecord, type CredentialKind } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { parseId, type Id } from '@commerce/records';

import { adminOf } from '../admin-caller.js';
import { ServiceContext } from '../service-context.js';
import { readDemoFile, writeDemoFile, type DemoFile } from './demo-file.js';

const DEMO_COMPANY = 'Demo company';

/** An admin of the demo company, and its keys as text. */
export interface SeededCompany {
  readonly caller: Caller;
  readonly keys: DemoFile;
}

/** Finds or creates the demo company. Its keys are those of the last run, or new ones when those are lost. */
@Injectable()
export class DemoCompanySeed {
  constructor(private readonly service: ServiceContext) {}

  async seed(): Promise<SeededCompany> {
    const { dataDir } = await this.service.get<Config>(CONFIG);
    const remembered = await readDemoFile(dataDir);
    const company = (await this.known(remembered)) ?? (await this.named()) ?? (await this.make());
    const same = remembered?.company === company._id.toHexString() ? remembered : null;
    const keys: DemoFile = {
      company: company._id.toHexString(),
      api_key: await this.keyOf(company._id, 'api', same?.api_key),
      service_key: await this.keyOf(company._id, 'service', same?.service_key),
    };
    const changed = keys.api_key !== same?.api_key || keys.service_key !== same.service_key;
    if (changed) await writeDemoFile(dataDir, keys);
    return { caller: adminOf(company), keys };
  }

  private async known(file: DemoFile | null): Promise<CompanyRecord | null> {
    const id = file === null ? null : parseId(file.company);
    if (id === null) return null;
    try {
      return await (await this.service.get(Companies)).get(id);
    } catch (error) {
      // The file belongs to another database.
      if (isFault(error, 'company.not_found')) return null;
      throw error;
    }
  }

  private async named(): Promise<CompanyRecord | null> {
    for await (const company of (await this.service.get(Companies)).all()) {
      if (company.name === DEMO_COMPANY) return company;
    }
    return null;
  }

  private async make(): Promise<CompanyRecord> {
    return (await this.service.get(Companies)).create({ name: DEMO_COMPANY, mode: 'test' });
  }

  private async keyOf(company: Id, kind: CredentialKind, last: string | undefined): Promise<string> {
    const keys = await this.service.get(Keys);
    if (last !== undefined) {
      const found = await keys.verify(last, kind).catch(() => null);
      if (found?.company.equals(company)) return last;
    }
    return (await keys.create(company, kind, 'test')).key;
  }
}
