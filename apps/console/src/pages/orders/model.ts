import type { Reply } from 'commerce-service-client';

export type Order = Reply<'/orders/{id}', 'get'>;
