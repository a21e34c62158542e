import type { ReactNode } from 'react';

import { DAY_MS, now } from '../../app/clock';
import { day, money } from '../../app/format';
import { plainText } from '../../app/messages';
import { priceText } from '../../app/terms';
import { T } from '../../texts';
import { Trouble } from '../../ui/parts';
import { QuantityField } from './quantity-field';
import type { PlanPreviewState, PreviewedPlan } from './use-plan-preview';

interface PlanPreviewProps {
  readonly state: PlanPreviewState;
  /** How many of the plan the customer takes. */
  readonly quantity: number;
  readonly setQuantity: (quantity: number) => void;
}

/** Lists the first charges of a plan, in words, beside its form. */
export function PlanPreview({ state, quantity, setQuantity }: PlanPreviewProps): ReactNode {
  const { previewed, problems, error, isWaiting } = state;
  const wrong = problems['quantity'];
  return (
    <section className="plan-preview" aria-label={T.planPreview.title}>
      <h3>{T.planPreview.title}</h3>
      <div role="status" aria-busy={isWaiting}>
        {previewed !== null ? <Shown previewed={previewed} /> : <p className="quiet">{waitingFor(state)}</p>}
      </div>
      <Trouble error={error} />
      <QuantityField
        label={T.planPreview.quantity}
        quantity={quantity}
        onChange={setQuantity}
        problem={wrong === undefined ? undefined : plainText(wrong)}
      />
    </section>
  );
}

function waitingFor({ problems, error }: PlanPreviewState): string {
  if (error !== null) return '';
  return Object.keys(problems).length > 0 ? T.planPreview.refused : T.planPreview.missing;
}

function Shown({ previewed }: { readonly previewed: PreviewedPlan }): ReactNode {
  const { currency, trial_days, charges, quantity } = previewed;
  const at = now();
  return (
    <>
      <p className="strong">{priceText(previewed, quantity)}</p>
      <p className="quiet">{T.planPreview.starts(day(at))}</p>
      <ul>
        {trial_days > 0 && <li>{T.planPreview.trial(day(at + trial_days * DAY_MS))}</li>}
        {charges.map((charge, index) => (
          <li key={`${String(charge.date)}-${String(index)}`}>{chargeText(charge, currency)}</li>
        ))}
        <li>{charges.length === 0 ? T.planPreview.nothing : T.planPreview.andSoOn}</li>
      </ul>
    </>
  );
}

type Charge = PreviewedPlan['charges'][number];

function chargeText({ date, amount, kind, breakdown }: Charge, currency: string): string {
  const [on, sum] = [day(date), money(amount, currency)];
  if (kind === 'setup') return T.planPreview.feeOnly(on, sum);
  const fee = setupFeeIn(breakdown);
  return fee === null
    ? T.planPreview.charge(on, sum)
    : T.planPreview.chargeAndFee(on, sum, money(fee, currency));
}

/** The setup fee among the parts of a charge; null without one. */
function setupFeeIn(breakdown: Charge['breakdown']): number | null {
  const parts = (breakdown['parts'] ?? []) as readonly { readonly kind: string; readonly amount: number }[];
  return parts.find(({ kind }) => kind === 'setup')?.amount ?? null;
}
