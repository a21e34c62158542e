import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import { PlanFields, usePlans, type Taken } from '../../forms/plan/plan-fields';
import { PlanName } from '../../lists/names';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Button, Trouble } from '../../ui/parts';

/** The number of charges in a preview. */
const COUNT = 3;

const WHEN = ['now', 'period_end', 'date'] as const;

interface Wanted extends Taken {
  readonly when: (typeof WHEN)[number];
  /** As the date input has it. */
  readonly date: string;
}

function bodyOf({ plan, quantity, coupon, when, date }: Wanted): {
  readonly plan: string;
  readonly quantity: number;
  readonly coupon: string | null;
  readonly at: 'now' | 'period_end' | number;
} {
  return {
    plan,
    quantity,
    coupon: coupon === '' ? null : coupon,
    at: when === 'date' ? Date.parse(date) : when,
  };
}

interface ChangePlanProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Changes plan and quantity, after a preview of the charges that follow. */
export function ChangePlan({ subscription, onClose }: ChangePlanProps): ReactNode {
  const { _id: id, plan, quantity, currency } = subscription;
  const client = useClient();
  const [wanted, setWanted] = useState<Wanted>({ plan, quantity, coupon: '', when: 'now', date: '' });
  const want = (values: Partial<Wanted>): void => setWanted({ ...wanted, ...values });
  const plans = usePlans().filter((one) => one.currency === currency);
  const params = { path: { id } };
  return (
    <ActionDialog
      title={T.changePlan.button}
      isReady={wanted.when !== 'date' || wanted.date !== ''}
      run={() => client.post('/subscriptions/{id}/change', { params, body: bodyOf(wanted) })}
      onClose={onClose}
    >
      <PlanFields plans={plans} taken={wanted} onChange={want} />
      {subscription.status === 'ACTIVE' && <When wanted={wanted} onChange={want} />}
      <Preview id={id} wanted={wanted} currency={currency} />
    </ActionDialog>
  );
}

interface WhenProps {
  readonly wanted: Wanted;
  readonly onChange: (values: Partial<Wanted>) => void;
}

function When({ wanted, onChange }: WhenProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>{T.changePlan.when}</span>
        <select
          value={wanted.when}
          onChange={({ target }) => onChange({ when: WHEN[target.selectedIndex] ?? 'now' })}
        >
          {WHEN.map((one) => (
            <option key={one} value={one}>
              {T.changePlan.times[one]}
            </option>
          ))}
        </select>
      </label>
      {wanted.when === 'date' && (
        <label className="field">
          <span>{T.changePlan.date}</span>
          <input
            type="date"
            required
            value={wanted.date}
            onChange={({ target }) => onChange({ date: target.value })}
          />
        </label>
      )}
    </>
  );
}

interface PreviewProps {
  readonly id: string;
  readonly wanted: Wanted;
  readonly currency: string;
}

/** The charges that would follow. */
function Preview({ id, wanted, currency }: PreviewProps): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/subscriptions/{id}', id, 'change', wanted],
    queryFn: () =>
      client.post('/subscriptions/{id}/change/preview', {
        params: { path: { id } },
        body: { ...bodyOf(wanted), count: COUNT },
      }),
    enabled: wanted.when !== 'date' || wanted.date !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error !== null) return <Trouble error={error} labels={T.dateNames} />;
  return (
    <div role="status" className="field">
      <span>{T.changePlan.preview}</span>
      {data?.charges.length === 0 && <p>{T.changePlan.nothing}</p>}
      {data?.refunds.map(({ date, amount, to_balance: credit }) => (
        <p key={`refund ${String(Number(date))}`}>
          {amount > 0 && T.changePlan.refund(day(date), money(amount, currency))}
          {credit > 0 && T.changePlan.credit(day(date), money(credit, currency))}
        </p>
      ))}
      {data?.charges.map(({ date, amount, kind, credit_applied: credit }) => (
        <p key={`${kind} ${String(Number(date))}`}>
          {T.changePlan.charge(day(date), money(amount, currency))}
          {credit > 0 && T.changePlan.fromBalance(money(credit, currency))}
        </p>
      ))}
    </div>
  );
}

function fromText(at: Date | null): string {
  return at === null ? T.changePlan.atResume : T.changePlan.from(day(at));
}

/** A change that is still to come, with the button that withdraws it. */
export function PendingChange({
  id,
  pending,
}: {
  readonly id: string;
  readonly pending: NonNullable<Subscription['pending_change']>;
}): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: () => client.delete('/subscriptions/{id}/change', { params: { path: { id } } }),
    onSuccess: () => cache.invalidateQueries(),
  });
  const { plan, quantity, at, state } = pending;
  return (
    <>
      {quantity} × <PlanName id={plan} /> ·{' '}
      {state === 'AWAITING_PAYMENT' ? T.changePlan.awaits : fromText(at)}{' '}
      <Button busy={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
        {T.changePlan.withdraw}
      </Button>
      <Trouble error={withdrawing.error} />
    </>
  );
}
