import { Suspense, lazy, useMemo, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Redirect, Route, Switch } from 'wouter';

import { T } from '../texts';
import { Note } from '../ui/parts';
import { keepKeys, keptKeys } from '../sign-in/kept-keys';
import { queries } from './queries';
import { SessionContext, clientWith, idOfKey, type KeyTexts, type Session } from './session';
import { Shell } from './shell';
import { SignIn } from '../sign-in/sign-in';

const Money = lazy(() => import('../pages/money/money'));
const Subscriptions = lazy(() => import('../pages/subscriptions/subscriptions'));
const Subscription = lazy(() => import('../pages/subscriptions/subscription'));
const Payments = lazy(() => import('../pages/money/payments'));
const Invoices = lazy(() => import('../pages/invoices/invoices'));
const Invoice = lazy(() => import('../pages/invoices/invoice'));
const ExchangeRates = lazy(() => import('../pages/invoices/exchange-rates'));
const Customer = lazy(() => import('../pages/customers/customer'));
const Order = lazy(() => import('../pages/orders/order'));
const Webhooks = lazy(() => import('../pages/webhooks/webhooks'));
const Webhook = lazy(() => import('../pages/webhooks/webhook'));
const Events = lazy(() => import('../pages/events/events'));
const Work = lazy(() => import('../pages/operations/work'));
const Keys = lazy(() => import('../pages/keys/keys'));
const Company = lazy(() => import('../pages/company/company'));
const Clocks = lazy(() => import('../pages/operations/clocks'));
const Records = lazy(() => import('../pages/records/records'));

export function App(): ReactNode {
  const [keys, setKeys] = useState(keptKeys);
  const session = useMemo<Session | null>(() => {
    if (keys === null) return null;
    const signOut = (): void => {
      queries.clear();
      keepKeys(null);
      setKeys(null);
    };
    return {
      client: clientWith(keys),
      isTest: keys.apiKey.startsWith('pk_test_'),
      keys: [keys.apiKey, keys.serviceKey].map(idOfKey),
      // Updates the session before the next read, which must use the new key.
      goOnWith: (text) => {
        const next = { ...keys, [text.startsWith('pk_') ? 'apiKey' : 'serviceKey']: text };
        if (keptKeys() !== null) keepKeys(next);
        flushSync(() => setKeys(next));
      },
      signOut,
    };
  }, [keys]);
  if (session === null) {
    const enter = (entered: KeyTexts, keep: boolean): void => {
      keepKeys(keep ? entered : null);
      setKeys(entered);
    };
    return <SignIn onKeys={enter} />;
  }
  return (
    <SessionContext value={session}>
      <Shell>
        <Suspense fallback={<Note>{T.loading}</Note>}>
          <Pages />
        </Suspense>
      </Shell>
    </SessionContext>
  );
}

function Pages(): ReactNode {
  return (
    <Switch>
      <Route path="/">
        <Money />
      </Route>
      <Route path="/subscriptions">
        <Subscriptions />
      </Route>
      <Route path="/subscriptions/:id">{({ id }) => <Subscription key={id} id={id} />}</Route>
      <Route path="/payments">
        <Payments />
      </Route>
      <Route path="/invoices">
        <Invoices />
      </Route>
      <Route path="/invoices/:id">{({ id }) => <Invoice key={id} id={id} />}</Route>
      <Route path="/exchange_rates">
        <ExchangeRates />
      </Route>
      <Route path="/users/:id">{({ id }) => <Customer key={id} id={id} />}</Route>
      <Route path="/orders/:id">{({ id }) => <Order key={id} id={id} />}</Route>
      <Route path="/webhooks">
        <Webhooks />
      </Route>
      <Route path="/webhooks/:id">{({ id }) => <Webhook key={id} id={id} />}</Route>
      <Route path="/events">
        <Events />
      </Route>
      <Route path="/work">
        <Work />
      </Route>
      <Route path="/keys">
        <Keys />
      </Route>
      <Route path="/company">
        <Company />
      </Route>
      <Route path="/test_clocks">
        <Clocks />
      </Route>
      <Route path="/:kind">{({ kind }) => <Records key={kind} kind={kind} />}</Route>
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}
