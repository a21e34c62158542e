import { SubscriptionStore, Subscriptions } from '@commerce/billing';
import { Companies } from '@commerce/identity';
import { fieldFault } from '@commerce/kernel';
import type { Id } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { adminOf } from '../../admin-caller.js';
import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly subscription?: string;
  readonly company?: string;
}

@Command({
  name: 'billing:release',
  description: 'lets subscriptions that are held go on, one of them or all of a company',
})
export class BillingReleaseCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ subscription, company }: Options): Promise<Outcome> {
    if ((subscription === undefined) === (company === undefined)) {
      throw fieldFault('subscription', 'Name either --subscription or --company');
    }
    const released =
      subscription === undefined
        ? await this.ofCompany(idOption(company ?? '', 'company'))
        : await this.one(subscription);
    return {
      json: { released },
      lines: [`${String(released.length)} subscriptions were released`, ...released],
    };
  }

  private async one(subscription: string): Promise<string[]> {
    const store = await this.service.get(SubscriptionStore);
    const company = await store.companyOf(subscription);
    const { _id, held } = await store.in(company).get(subscription);
    return held === null ? [] : this.release(company, [_id]);
  }

  private async ofCompany(company: Id): Promise<string[]> {
    return this.release(company, await (await this.service.get(SubscriptionStore)).heldIn(company));
  }

  private async release(company: Id, ids: readonly Id[]): Promise<string[]> {
    const subscriptions = await this.service.get(Subscriptions);
    const caller = adminOf(await (await this.service.get(Companies)).get(company));
    for (const id of ids) await subscriptions.release(caller, id);
    return ids.map((id) => id.toHexString());
  }

  @Option({ flags: '--subscription <id>', description: 'the subscription' })
  readSubscription(value: string): string {
    return value;
  }

  @Option({ flags: '--company <id>', description: 'all held subscriptions of this company' })
  readCompany(value: string): string {
    return value;
  }
}
