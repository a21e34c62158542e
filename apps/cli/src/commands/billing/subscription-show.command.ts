import { SubscriptionReader, SubscriptionStore, UpcomingChargesReader } from '@commerce/billing';
import { BusinessClock } from '@commerce/identity';
import { PaymentStore } from '@commerce/payments';
import { renderObject } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { adminOf, companyOf } from '../../admin-caller.js';
import { AdminCommand, countOption, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';
import { amountText, timelineLines } from '../../show/timeline-lines.js';
import { subscriptionTimeline } from '../../show/timeline.js';

/** The default number of upcoming charges, and the most payments shown, newest first. */
const UPCOMING = 6;
const PAYMENTS = 100;

interface Options extends CommonOptions {
  readonly upcoming?: number;
}

@Command({
  name: 'subscription:show',
  arguments: '<subscription>',
  description: 'a subscription as a timeline: what was, and what will be charged',
})
export class SubscriptionShowCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ upcoming: count = UPCOMING }: Options, [id = '']: string[]): Promise<Outcome> {
    const company = await companyOf(this.service, SubscriptionStore, id);
    const found = await (await this.service.get(SubscriptionReader)).get(adminOf(company), id);
    const payments = (await this.service.get(PaymentStore)).in(company._id);
    const paid = await payments.many({ subscription: found._id }, { sort: { created: -1 }, limit: PAYMENTS });
    const upcoming = await (await this.service.get(UpcomingChargesReader)).next(found, count);
    const now = await (await this.service.get(BusinessClock)).now(company._id, found.test_clock);
    const timezone = found.timezone ?? company.timezone;
    const { currency, status, collection_state, outstanding_amount } = found;
    const timeline = subscriptionTimeline(found, paid, upcoming);
    const facts: [string, string][] = [
      ['subscription', `${id} (${found.human_id})`],
      ['name', found.name ?? found.method],
      ['status', status],
      ['collection', collection_state],
      ...(found.held === null ? [] : [['held', found.held.reason] satisfies [string, string]]),
      ['owed', amountText(outstanding_amount, currency)],
      ['user', found.user.toHexString()],
      ['plan', found.plan.toHexString()],
      ['payment method', found.payment_method?.toHexString() ?? 'none'],
    ];
    return {
      json: renderObject({ subscription: found, payments: paid, upcoming, timeline }),
      lines: [...table(facts), '', ...timelineLines(timeline, { timezone, currency, now })],
    };
  }

  @Option({
    flags: '--upcoming <count>',
    description: `charges to come that are shown; default: ${String(UPCOMING)}`,
  })
  readUpcoming(value: string): number {
    return countOption(value, 'upcoming', 100);
  }
}
