import { Integer } from '@commerce/records';

const RECORDS = 20_000;
const BYTES = 100 * 1024 * 1024;

/** How much each user may store: resources, images, orders, subscriptions and payment methods that it creates. */
export class CustomerQuota {
  @Integer({ default: RECORDS, description: 'deleted ones included, unless an admin deleted them' })
  records: number;

  @Integer({
    default: BYTES,
    max: Number.MAX_SAFE_INTEGER,
    description: 'with search keys and the content of images',
  })
  bytes: number;
}

export function defaultQuota(): CustomerQuota {
  return { records: RECORDS, bytes: BYTES };
}
