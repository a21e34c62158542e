import { toMajor, toMinor } from '@commerce/kernel';
import type { PaymentLine, PaymentSubject } from '@commerce/payments';

import type { OrderRecord } from '../orders/order.record.js';

/** The order as shown to its customer before payment. */
export function subjectOf(order: OrderRecord): PaymentSubject {
  const { human_id, items, coupon, breakdown, currency } = order;
  const lines: PaymentLine[] = items.map(({ quantity, name, sub_products, amount }) => {
    const names = [name, ...sub_products.map((sub) => sub.name)].join(' + ');
    return { text: quantity === 1 ? names : `${String(quantity)} × ${names}`, amount };
  });
  const sum = (amounts: readonly number[]): number =>
    toMajor(
      amounts.reduce((total, amount) => total + toMinor(amount, currency), 0),
      currency,
    );
  if (coupon !== null)
    lines.push({ text: `Coupon ${coupon}`, amount: -sum(items.map((item) => item.coupon)) });
  const [part] = breakdown.parts;
  const vat = sum((part?.vat ?? []).map((rate) => rate.vat));
  const isAdded = part?.input.tax_behavior === 'exclusive';
  if (vat > 0) lines.push({ text: isAdded ? 'VAT' : 'VAT, included', amount: vat });
  return { title: `Order ${human_id}`, reference: human_id, lines };
}
