import { BusinessClock } from '@commerce/identity';
import { PaymentExplainer, PaymentReader, PaymentStore } from '@commerce/payments';
import { renderObject } from '@commerce/records';
import { Command } from 'nest-commander';

import { adminOf, companyOf } from '../../admin-caller.js';
import { AdminCommand, table, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';
import { amountText, timelineLines } from '../../show/timeline-lines.js';
import { paymentTimeline } from '../../show/timeline.js';
import { explanationLines } from './explain.command.js';

@Command({
  name: 'payment:show',
  arguments: '<payment>',
  description: 'a payment: its attempts and refunds in order, and how its amount comes about',
})
export class PaymentShowCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(_options: CommonOptions, [id = '']: string[]): Promise<Outcome> {
    const company = await companyOf(this.service, PaymentStore, id);
    const caller = adminOf(company);
    const payment = await (await this.service.get(PaymentReader)).get(caller, id);
    const explanation = await (await this.service.get(PaymentExplainer)).explain(caller, id);
    const now = await (await this.service.get(BusinessClock)).now(company._id, payment.test_clock);
    const { kind, status, amount, currency, user, subscription, order, provider } = payment;
    const facts: [string, string | undefined][] = [
      ['payment', id],
      ['status', status],
      ['amount', amountText(amount, currency)],
      ['kind', kind],
      ['user', user.toHexString()],
      ['subscription', subscription?.toHexString()],
      ['order', order?.toHexString()],
      ['intent', provider.intent_id ?? undefined],
    ];
    const timeline = paymentTimeline(payment);
    return {
      json: {
        payment: renderObject(payment),
        timeline,
        explanation: renderObject(explanation),
      },
      lines: [
        ...table(facts.filter((fact): fact is [string, string] => fact[1] !== undefined)),
        '',
        ...timelineLines(timeline, { timezone: company.timezone, currency, now }),
        '',
        ...explanationLines(explanation),
      ],
    };
  }
}
