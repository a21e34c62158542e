import { Companies } from '@commerce/identity';
import { UnitsOfWork } from '@commerce/data';
import { type Id } from '@commerce/records';

import type { ServiceContext } from './service-context.js';

/**
 * Puts a command on record that changes no record of a company, but concerns it: in the trail of one company or, for
 * what concerns the whole installation, of each. Called before the command does anything, so that nothing it does can
 * be missing.
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
