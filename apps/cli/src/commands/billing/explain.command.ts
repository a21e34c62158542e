import { PaymentExplainer, PaymentStore, type PaymentExplanation } from '@commerce/payments';
import { renderObject } from '@commerce/records';
import { Command } from 'nest-commander';

import { adminOf, companyOf } from '../../admin-caller.js';
import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { amountText } from '../../show/timeline-lines.js';

@Command({
  name: 'explain',
  arguments: '<payment>',
  description: 'recomputes a payment from its breakdown; exits with 1 if that is not what was charged',
})
export class ExplainCommand extends AdminCommand<CommonOptions> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(_options: CommonOptions, [id = '']: string[]): Promise<Outcome> {
    const caller = adminOf(await companyOf(this.service, PaymentStore, id));
    const explainer = await this.service.get(PaymentExplainer);
    const explanation = await explainer.explain(caller, id);
    return {
      json: renderObject(explanation),
      lines: explanationLines(explanation),
      failed: !explanation.agrees,
    };
  }
}

/** The lines of an amount, their sum, and whether the sum equals the charge. */
export function explanationLines({ charged, recomputed, agrees, lines }: PaymentExplanation): string[] {
  const { currency } = charged;
  const rows = lines.map(({ label, amount, note }) => [
    amount === null ? `  ${label}` : label,
    amount === null ? null : amountText(amount, currency),
    note,
  ]);
  const sum =
    recomputed === null ? [] : [['in all', amountText(recomputed.amount, recomputed.currency), null]];
  const verdict = agrees
    ? `${amountText(charged.amount, currency)} was charged, as it should be.`
    : `${amountText(charged.amount, currency)} was charged, which is NOT what the breakdown comes to.`;
  return [...grid(['what', { head: 'amount', align: 'right' }, 'how'], [...rows, ...sum]), '', verdict];
}
