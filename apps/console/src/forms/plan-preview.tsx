import type { ReactNode } from 'react';

import { DAY_MS, now } from '../app/clock';
import { day, money } from '../app/format';
import { everyText, priceText } from '../app/terms';
import { T } from '../texts';
import { draftOf, firstCharges, type FirstCharge, type PlanDraft } from './first-charges';
import type { Values } from './values';

const SHOWN = 4;

/** Lists the first charges of a plan, in words, beside its form. */
export function PlanPreview({ values }: { readonly values: Values }): ReactNode {
  const draft = draftOf(values);
  return (
    <section className="plan-preview" aria-label={T.planPreview.title}>
      <h3>{T.planPreview.title}</h3>
      <div role="status">
        {draft === null ? <p className="quiet">{T.planPreview.missing}</p> : <Shown draft={draft} />}
      </div>
    </section>
  );
}

function Shown({ draft }: { readonly draft: PlanDraft }): ReactNode {
  const at = now();
  const { currency, trial_days, total_amount } = draft;
  return (
    <>
      <p className="strong">
        {total_amount === null ? fromItems(draft) : priceText({ ...draft, total_amount })}
      </p>
      <p className="quiet">{T.planPreview.starts(day(at))}</p>
      <ul>
        {trial_days > 0 && <li>{T.planPreview.trial(day(at + trial_days * DAY_MS))}</li>}
        {firstCharges(draft, at, SHOWN).map((charge, index) => (
          <li key={`${String(charge.at)}-${String(index)}`}>{chargeText(charge, currency)}</li>
        ))}
        <li>{T.planPreview.andSoOn}</li>
      </ul>
    </>
  );
}

function fromItems({ interval_unit, interval_count }: PlanDraft): string {
  return T.planPreview.fromItems(everyText(interval_unit, interval_count));
}

function chargeText({ at, amount, setup }: FirstCharge, currency: string): string {
  const date = day(at);
  const fee = money(setup, currency);
  if (amount === null) return setup === 0 ? T.planPreview.part(date) : T.planPreview.partAndFee(date, fee);
  if (amount === setup && setup > 0) return T.planPreview.feeOnly(date, fee);
  const sum = money(amount, currency);
  return setup === 0 ? T.planPreview.charge(date, sum) : T.planPreview.chargeAndFee(date, sum, fee);
}
