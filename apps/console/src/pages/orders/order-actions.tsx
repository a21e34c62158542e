import { useState, type ReactNode } from 'react';

import { money } from '../../app/format';
import { useClient } from '../../app/session';
import { EditButton } from '../../forms/edit-button';
import { cardName, usableCards, useCards } from '../../lists/cards';
import { Refunds } from '../../picture/refund';
import type { Payment } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { CopyField } from '../../ui/copy-field';
import { Outcome } from '../../ui/outcome';
import { Button, Section } from '../../ui/parts';
import type { Order } from './model';

interface OrderActionsProps {
  readonly order: Order;
  readonly payments: readonly Payment[];
}

/** The actions that an order's state permits now, in words and buttons; the service makes the final decision. */
export function OrderActions({ order, payments }: OrderActionsProps): ReactNode {
  const [asked, setAsked] = useState<'pay' | 'cancel' | null>(null);
  const { status, pay_url } = order;
  const close = (): void => setAsked(null);
  const waits = status === 'PENDING_PAYMENT' || status === 'REQUIRES_AUTH';
  const paid = payments.find(({ _id }) => _id === order.payment);
  const isCollected = status === 'PAID' || status === 'REFUNDED';
  return (
    <Section title={T.order.now}>
      <div className="form">
        <p>{T.order.states[status]}</p>
        {pay_url !== null && <CopyField label={T.order.payLink} text={pay_url} />}
        {isCollected && paid !== undefined && <Refunds payment={paid} />}
        <div className="actions">
          {waits && (
            <>
              <Button primary onClick={() => setAsked('pay')}>
                {T.order.pay}
              </Button>
              <Button danger onClick={() => setAsked('cancel')}>
                {T.order.cancel}
              </Button>
            </>
          )}
          <EditButton kind="orders" record={order} label={T.order.change} />
        </div>
      </div>
      {asked === 'pay' && <Pay order={order} onClose={close} />}
      {asked === 'cancel' && <Cancel order={order} onClose={close} />}
    </Section>
  );
}

interface AskedProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Charges one of the customer's saved cards, who is away. */
function Pay({ order, onClose }: AskedProps): ReactNode {
  const client = useClient();
  const { data } = useCards(order.user);
  const cards = usableCards(data ?? []);
  const [chosen, setChosen] = useState<string | null>(null);
  const card = chosen ?? cards[0]?._id ?? null;
  return (
    <ActionDialog
      title={T.order.pay}
      isReady={card !== null}
      run={() =>
        client.post('/orders/{id}/pay', {
          params: { path: { id: order._id } },
          body: { payment_method: card },
        })
      }
      onClose={onClose}
    >
      {data !== undefined && cards.length === 0 ? (
        <p>{T.order.payNoCard}</p>
      ) : (
        <label className="field">
          <span>{T.order.payWith}</span>
          <select value={card ?? ''} onChange={({ target }) => setChosen(target.value)}>
            {cards.map((one) => (
              <option key={one._id} value={one._id}>
                {cardName(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {card !== null && <Outcome lines={[T.order.payOutcome(money(order.amount, order.currency))]} />}
    </ActionDialog>
  );
}

function Cancel({ order, onClose }: AskedProps): ReactNode {
  const client = useClient();
  return (
    <ActionDialog
      title={T.order.cancel}
      danger
      run={() => client.post('/orders/{id}/cancel', { params: { path: { id: order._id } } })}
      onClose={onClose}
    >
      <Outcome lines={[T.order.cancelOutcome]} />
    </ActionDialog>
  );
}
