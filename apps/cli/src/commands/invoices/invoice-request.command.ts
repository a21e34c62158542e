import { Companies } from '@commerce/identity';
import { UninvoicedReader } from '@commerce/invoices';
import { fieldFault } from '@commerce/kernel';
import { InvoiceDueWriter, PaymentStore, isCollected } from '@commerce/payments';
import { Command, Option } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly payment: string;
}

@Command({
  name: 'invoice:request',
  description: 'requests the documents of a payment that was collected before its company had a seller',
})
export class InvoiceRequestCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform({ payment: id }: Options): Promise<Outcome> {
    const payments = await this.service.get(PaymentStore);
    const payment = await payments.in(await payments.companyOf(id)).get(id);
    const { seller } = await (await this.service.get(Companies)).get(payment.company);
    if (seller === null) throw fieldFault('payment', 'the company of this payment has no seller');
    if (!isCollected(payment.status)) throw fieldFault('payment', 'this payment has not been collected');
    const uninvoiced = await this.service.get(UninvoicedReader);
    const [found] = await uninvoiced.among(payment.company, [payment]);
    const missing = found?.missing ?? [];
    if (missing.length > 0) {
      await putOnRecord(this.service, payment.company);
      await (await this.service.get(InvoiceDueWriter)).request(payment, missing);
    }
    const line =
      missing.length > 0
        ? `Requested ${String(missing.length)} documents; a worker makes them.`
        : 'This payment has all its documents.';
    return { json: { requested: missing.length }, lines: [line] };
  }

  @Option({ flags: '--payment <id>', required: true, description: 'the payment' })
  readPayment(value: string): string {
    return value;
  }
}
