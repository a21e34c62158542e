import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { Badge } from '../../ui/parts';

type Subscription = Reply<'/subscriptions', 'get'>[number];

/** The status of a subscription, and its problems. */
export function Standing(one: Pick<Subscription, 'status' | 'collection_state' | 'held'>): ReactNode {
  return (
    <span className="badges">
      <Badge value={one.status} />
      {one.collection_state !== 'OK' && <Badge value={one.collection_state} />}
      {one.held !== null && <Badge value="held" />}
    </span>
  );
}
