import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { money } from '../../app/format';
import { useClient } from '../../app/session';
import type { Plan } from '../../lists/names';
import { T } from '../../texts';
import { QuantityField } from './quantity-field';

/** The plans to choose from. */
export function usePlans(): readonly Plan[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/plans', 'choice'],
    queryFn: () => client.get('/plans', { params: { query: { size: 100 } } }),
  });
  return data ?? [];
}

/** A plan, the quantity of it that a customer takes, and the code of a coupon; empty for none. */
export interface Taken {
  readonly plan: string;
  readonly quantity: number;
  readonly coupon: string;
}

interface PlanFieldsProps {
  readonly plans: readonly Plan[];
  readonly taken: Taken;
  readonly onChange: (values: Partial<Taken>) => void;
}

/** Fields for the plan, the quantity and the coupon. */
export function PlanFields({ plans, taken, onChange }: PlanFieldsProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>{T.planFields.plan}</span>
        <select value={taken.plan} onChange={({ target }) => onChange({ plan: target.value })}>
          {plans.map(({ _id, name, total_amount, currency }) => (
            <option key={_id} value={_id}>
              {`${name ?? T.unnamed} · ${money(total_amount, currency)}`}
            </option>
          ))}
        </select>
      </label>
      <QuantityField
        label={T.planFields.quantity}
        quantity={taken.quantity}
        onChange={(quantity) => onChange({ quantity })}
      />
      <label className="field">
        <span>{T.planFields.coupon}</span>
        <input
          type="text"
          maxLength={64}
          defaultValue={taken.coupon}
          // A code that is not typed to its end would be refused.
          onBlur={({ target }) => onChange({ coupon: target.value.trim() })}
        />
      </label>
    </>
  );
}
