import { useState, type ReactNode } from 'react';

import { now } from '../../app/clock';
import { calendarDay } from '../../app/format';
import { useClient } from '../../app/session';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Outcome } from '../../ui/outcome';

interface NewRateProps {
  /** The currency that is offered; empty for none. */
  readonly currency: string;
  readonly onClose: () => void;
}

/** The fields, as typed. */
interface Given {
  readonly currency: string;
  readonly day: string;
  readonly rate: string;
}

/** Sets the rate of a currency and a day; one that is there is replaced. */
export function NewRate({ currency, onClose }: NewRateProps): ReactNode {
  const client = useClient();
  const [given, setGiven] = useState<Given>(() => ({
    ...{ currency, rate: '' },
    day: new Date(now()).toISOString().slice(0, 10),
  }));
  const give = (values: Partial<Given>): void => setGiven({ ...given, ...values });
  const code = given.currency.trim().toUpperCase();
  const rate = Number(given.rate);
  const isReady = /^[A-Z]{3}$/.test(code) && given.day !== '' && rate > 0;
  return (
    <ActionDialog
      title={T.rates.new}
      confirm={T.rates.save}
      isReady={isReady}
      run={() =>
        client.put('/exchange_rates', { body: { rates: [{ currency: code, day: given.day, rate }] } })
      }
      onClose={onClose}
    >
      <RateFields {...{ given, give }} />
      {isReady && (
        <Outcome
          lines={[
            T.rates.outcome(T.rates.euro(code, String(rate)), calendarDay(given.day)),
            T.rates.replaces,
            T.rates.makes,
          ]}
        />
      )}
    </ActionDialog>
  );
}

interface RateFieldsProps {
  readonly given: Given;
  readonly give: (values: Partial<Given>) => void;
}

function RateFields({ given, give }: RateFieldsProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>{T.rates.currency}</span>
        <input
          type="text"
          required
          maxLength={3}
          value={given.currency}
          onChange={({ target }) => give({ currency: target.value })}
        />
      </label>
      <label className="field">
        <span>{T.rates.day}</span>
        <input
          type="date"
          required
          value={given.day}
          onChange={({ target }) => give({ day: target.value })}
        />
      </label>
      <label className="field">
        <span>{T.rates.perEuro}</span>
        <input
          type="number"
          step="any"
          min="0"
          required
          value={given.rate}
          onChange={({ target }) => give({ rate: target.value })}
        />
        <span className="help">{T.rates.perEuroHelp}</span>
      </label>
    </>
  );
}
