import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { away, day, money } from '../../app/format';
import { aheadOf, stateOf, type Charge, type Payment } from '../../picture/model';
import type { FullHistory } from '../../picture/subscription-history';
import { T } from '../../texts';
import { Badge, Note, Section } from '../../ui/parts';

const SHOWN_AHEAD = 6;

interface ChargesProps {
  readonly history: FullHistory;
  readonly onOpen: (charge: Charge) => void;
}

/** The past of the picture, in words and numbers. */
export function Charges({ history, onOpen }: ChargesProps): ReactNode {
  const { payments, subscription } = history;
  const all = <Link href={`/payments?subscription=${subscription._id}`}>{T.subscription.allPayments}</Link>;
  return (
    <Section title={T.subscription.charges} aside={all}>
      {payments.length === 0 && <Note>{T.subscription.noCharges}</Note>}
      {payments.length > 0 && (
        <div className="table-frame">
          <table className="charges" aria-label={T.subscription.charges}>
            <tbody>
              {payments.slice(0, 24).map((payment) => (
                <ChargeRow key={payment._id} payment={payment} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

interface ChargeRowProps {
  readonly payment: Payment;
  readonly onOpen: (charge: Charge) => void;
}

function ChargeRow({ payment, onOpen }: ChargeRowProps): ReactNode {
  const { _id: key, created, amount, kind, currency, status, attempts } = payment;
  const source = { is: 'payment' as const, payment };
  const charge = { key, at: Number(created), amount, kind, state: stateOf(payment), source };
  return (
    <tr>
      <td>
        {day(created)} <span className="quiet small">{T.picture.kinds[kind]}</span>
      </td>
      <td>
        <Badge value={status} />{' '}
        {attempts.length > 1 && <span className="quiet small">{T.subscription.tries(attempts.length)}</span>}
      </td>
      <td className="right strong">{money(amount, currency)}</td>
      <td className="right">
        <Explain charge={charge} onOpen={onOpen} />
      </td>
    </tr>
  );
}

/** The future of the picture, in words and numbers. */
export function ToCome({ history, onOpen }: ChargesProps): ReactNode {
  const { subscription, upcoming, now } = history;
  const { charges } = aheadOf(upcoming.slice(0, SHOWN_AHEAD), now);
  const nothing = subscription.held === null ? T.subscription.nothingToCome : T.subscription.heldToCome;
  return (
    <Section title={T.subscription.toCome}>
      {charges.length === 0 && <Note>{nothing}</Note>}
      {charges.length > 0 && (
        <div className="table-frame">
          <table className="to-come" aria-label={T.subscription.toCome}>
            <tbody>
              {charges.map((charge) => (
                <tr key={charge.key}>
                  <td>
                    {day(charge.at)} <span className="quiet small">{away(charge.at, now)}</span>
                  </td>
                  <td className="right strong">{money(charge.amount, subscription.currency)}</td>
                  <td className="right">
                    <Explain charge={charge} onOpen={onOpen} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

interface ExplainProps {
  readonly charge: Charge;
  readonly onOpen: (charge: Charge) => void;
}

function Explain({ charge, onOpen }: ExplainProps): ReactNode {
  return (
    <button type="button" className="link" onClick={() => onOpen(charge)}>
      {T.subscription.explain}
    </button>
  );
}
