import type { Reply } from 'commerce-service-client';

export type Company = Reply<'/company', 'get'>;
