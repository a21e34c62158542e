import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Companies, requireAllowed } from '@commerce/identity';
import { CustomerUsageStore } from '@commerce/data';

import { fillsLogs, notesOf, type Asks } from '../route-notes.js';
import type { ServiceRequest } from '../service-request.js';

/**
 * Refuses users what the settings of their company switch off, and writes of those who have filled the logs. It reads the
 * body that the caller's guard has read.
 */
@Injectable()
export class CustomerGuard implements CanActivate {
  constructor(
    private readonly companies: Companies,
    private readonly quotas: CustomerUsageStore,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { asks = [], ...notes } = notesOf(context.getHandler());
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const { caller } = request;
    if (caller?.user != null && fillsLogs(request.method, notes)) {
      await this.quotas.requireLogRoom(caller.company, caller.user);
    }
    const asked = asks.filter((one) => isAsked(one, request.body));
    if (asked.length === 0 || !caller) return true;
    const customers = await this.companies.customersOf(caller);
    for (const { right } of asked) requireAllowed(customers, right);
    return true;
  }
}

function isAsked({ fields }: Asks, body: unknown): boolean {
  if (fields.length === 0) return true;
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  return fields.some((field) => given[field] != null);
}
