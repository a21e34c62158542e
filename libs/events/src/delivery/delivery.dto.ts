import { sortsOf, Choice, listQuery } from '@commerce/records';

import { DELIVERY_STATUSES, DeliveryRecord, type DeliveryStatus } from './delivery.record.js';

export class ListDeliveriesQuery extends listQuery({
  sortable: sortsOf(DeliveryRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {
  @Choice(DELIVERY_STATUSES, { optional: true, description: 'deliveries of this status only' })
  status: DeliveryStatus | null;
}
