import type { ReactNode } from 'react';

import { money } from '../app/format';
import type { Payment } from '../picture/model';
import { T } from '../texts';

interface PaymentAmountProps {
  readonly payment: Payment;
  readonly open: (payment: Payment) => void;
}

/** The amount of a payment, which opens its explanation. */
export function PaymentAmount({ payment, open }: PaymentAmountProps): ReactNode {
  const amount = money(payment.amount, payment.currency);
  return (
    <button
      type="button"
      className="link"
      aria-label={T.explanation.title(amount)}
      onClick={() => open(payment)}
    >
      {amount}
    </button>
  );
}
