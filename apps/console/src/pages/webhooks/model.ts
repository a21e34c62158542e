import type { Reply } from 'commerce-service-client';

export type Webhook = Reply<'/webhooks', 'get'>[number];
export type Delivery = Reply<'/webhooks/{id}/deliveries', 'get'>[number];
