import { Companies } from '@commerce/identity';
import { UnitsOfWork } from '@commerce/data';
import { type Id } from '@commerce/records';

import type { ServiceContext } from './service-context.js';

/**
 * Records a command that concerns a company but changes none of its records, in the audit log of that company or, for
 * the whole installation, of each. Must be called before the command acts, so that no action can go unrecorded.
 */
export async function putOnRecord(service: ServiceContext, only: Id | null = null): Promise<void> {
  const units = await service.get(UnitsOfWork);
  const note = (company: Id): Promise<void> =>
    units.write(company, (work) => {
      work.note('performed', 'company', company);
    });
  if (only !== null) return note(only);
  for await (const { _id } of (await service.get(Companies)).all()) await note(_id);
}
