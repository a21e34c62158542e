import type { Type } from '@nestjs/common';
import { Companies, type CompanyRecord } from '@commerce/identity';
import type { Caller, RecordStore } from '@commerce/data';
import type { OwnedRecord } from '@commerce/records';

import type { ServiceContext } from './service-context.js';

/** The caller of a command: an admin of the company, who uses the same services as the API. */
export function adminOf({ _id, mode }: CompanyRecord): Caller {
  return { company: _id, mode, role: 'admin', user: null, credential: 'cli' };
}

/**
 * Finds the company of a record, for commands that receive only the record's id.
 * @throws Fault `<noun>.not_found`
 */
export async function companyOf(
  service: ServiceContext,
  store: Type<Pick<RecordStore<OwnedRecord>, 'companyOf'>>,
  id: string,
): Promise<CompanyRecord> {
  const company = await (await service.get(store)).companyOf(id);
  return (await service.get(Companies)).get(company);
}
