export const money = {
  payments: {
    lead: 'Each with its tries, its refunds and the lines of its amount.',
    since: 'From one month on',
    until: 'Up to one month',
    empty: 'No payment matches.',
    kind: 'For',
    fromBalance: (amount: string) => `+ ${amount} from the balance`,
  },
  money: {
    lead: 'What came in, what will, and what may not.',
    bars: 'Month by month',
    currency: 'Currency',
    whose: 'Whose money',
    onClock: (name: string) => `Test clock: ${name}`,
    none: 'There is no money yet. Make a plan, and let a customer subscribe.',
    computing: 'The forecast is being computed…',
    from: (subscriptions: string, left: number) =>
      `Forecast from ${subscriptions} live subscriptions${left === 0 ? '' : `, ${String(left)} not included`}`,
    month: 'Month',
    since: (month: string) => `since ${month}`,
    collected: 'Collected',
    failed: 'Failed',
    notCollected: 'Not collected',
    auth: 'Waits for the bank',
    refunded: 'Refunded',
    ahead: 'Forecast',
    asTable: 'As a table',
    atRisk: {
      RETRYING: 'At risk: retrying',
      REQUIRES_AUTH: 'At risk: bank asks',
      PAST_DUE: 'At risk: past due',
    },
    owed: (many: number, amount: string) =>
      `${many === 1 ? 'subscription' : 'subscriptions'}, ${amount} owed`,
  },
};
