import { useState, type ReactNode } from 'react';

import { priceText } from '../../app/terms';
import { Documents } from '../../lists/documents';
import { UserLink } from '../../lists/names';
import { ClockPanel } from '../../picture/clock-panel';
import { Explanation } from '../../picture/explanation';
import { pictureOf, type Charge } from '../../picture/model';
import { useHistory, type FullHistory } from '../../picture/subscription-history';
import { TimeLine } from '../../picture/time-line';
import { WhatIf } from '../../picture/what-if-panel';
import { T } from '../../texts';
import { Button, Note, PageHead, Section, Trouble } from '../../ui/parts';
import { Charges, ToCome } from './charges';
import { SubscriptionFacts } from './facts';
import { SubscriptionActions } from './subscription-actions';
import { Standing } from './standing';

export default function Subscription({ id }: { readonly id: string }): ReactNode {
  const { history, error } = useHistory(id);
  if (history === null) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  return <Shown history={history} />;
}

function Shown({ history }: { readonly history: FullHistory }): ReactNode {
  const { subscription, plan, clock, now } = history;
  const [opened, setOpened] = useState<Charge | null>(null);
  const [asksWhatIf, setAsks] = useState(false);
  const picture = pictureOf(history);
  const { currency } = subscription;
  return (
    <>
      <PageHead
        title={
          <>
            <UserLink id={subscription.user} /> · {plan?.name ?? T.unnamed}
          </>
        }
        lead={
          <>
            <Standing {...subscription} />
            {plan !== undefined && <> {priceText(plan, subscription.quantity)}</>}
          </>
        }
      >
        <Button onClick={() => setAsks(!asksWhatIf)} aria-pressed={asksWhatIf}>
          {T.whatIf.button}
        </Button>
        <SubscriptionActions subscription={subscription} now={now} />
      </PageHead>
      {clock !== null && <ClockPanel clock={clock} next={nextOf(history)} />}
      {asksWhatIf ? (
        <WhatIf history={history} real={picture} onOpen={setOpened} />
      ) : (
        <Section title={T.picture.title}>
          <TimeLine bands={[{ name: T.picture.title, picture }]} {...{ now, currency }} onOpen={setOpened}>
            <Legend />
          </TimeLine>
        </Section>
      )}
      <SubscriptionFacts history={history} />
      <div className="beside">
        <ToCome history={history} onOpen={setOpened} />
        <Charges history={history} onOpen={setOpened} />
      </div>
      <Documents subscription={subscription._id} />
      {opened !== null && <Explanation charge={opened} currency={currency} onClose={() => setOpened(null)} />}
    </>
  );
}

/** The date of the next due work, to which a step of the clock leads. */
function nextOf({ subscription, upcoming }: FullHistory): Date | null {
  return subscription.next_billing_date ?? upcoming[0]?.date ?? subscription.resume_at;
}

function Legend(): ReactNode {
  return (
    <p className="legend">
      {T.picture.legend.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </p>
  );
}
