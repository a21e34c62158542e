import { company } from './texts/company';
import { customers } from './texts/customers';
import { events } from './texts/events';
import { forms } from './texts/forms';
import { invoices } from './texts/invoices';
import { keys } from './texts/keys';
import { lists } from './texts/lists';
import { money } from './texts/money';
import { operations } from './texts/operations';
import { picture } from './texts/picture';
import { records } from './texts/records';
import { search } from './texts/search';
import { signIn } from './texts/sign-in';
import { subscriptions } from './texts/subscriptions';
import { webhooks } from './texts/webhooks';

/** Every text of the console: to translate it, translate this file and those of its folder. */
export const T = {
  locale: 'en',
  name: 'Commerce',
  none: '–',
  unnamed: 'Unnamed',
  loading: 'Loading…',
  close: 'Close',
  all: 'All',
  id: 'Id',
  status: 'Status',
  sort: 'Order',
  amount: 'Amount',
  date: 'Date',
  oneUser: 'One customer',
  oneSubscription: 'One subscription',
  onePayment: 'One payment',
  oneClock: 'One test clock',
  oneCurrency: (currency: string) => `In ${currency}`,
  realTime: 'Real time',
  without: (filter: string) => `Remove the filter: ${filter}`,
  skip: 'Skip to the content',
  navigation: 'Pages',
  testMode: 'Test',
  liveMode: 'Live',
  theme: (now: 'light' | 'dark') => (now === 'dark' ? 'Light colours' : 'Dark colours'),
  signOut: 'Sign out',
  away: 'The service does not answer.',
  tryingAgain: 'Trying again…',
  done: 'Done',
  nav: {
    money: 'Money',
    subscriptions: 'Subscriptions',
    payments: 'Payments',
    invoices: 'Invoices',
    orders: 'Orders',
    users: 'Customers',
    plans: 'Plans',
    products: 'Products',
    coupons: 'Coupons',
    webhooks: 'Webhooks',
    events: 'Events',
    work: 'Work',
    test_clocks: 'Test clocks',
    keys: 'Keys',
    company: 'Company',
  },
  ...signIn,
  ...subscriptions,
  ...picture,
  ...money,
  ...invoices,
  ...company,
  ...webhooks,
  ...events,
  ...operations,
  ...keys,
  ...forms,
  ...records,
  ...search,
  ...customers,
  ...lists,
};
