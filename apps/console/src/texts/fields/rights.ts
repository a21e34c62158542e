import type { FieldTexts } from './field-text';

/** The form of what the company's customers may do. */
export const rights: FieldTexts = {
  customers: { label: 'What customers may do', help: 'By themselves; you may do everything for them.' },
  'customers.subscribe': { label: 'They subscribe' },
  'customers.change': {
    label: 'They change plan and quantity',
    choices: { any: 'Freely', dearer: 'Only if a day does not cost less then', none: 'No' },
  },
  'customers.pause': { label: 'They pause', help: 'A pause gives unused days back.' },
  'customers.stop': {
    label: 'They stop',
    choices: { any: 'At any time', period_end: 'At the end of a period only', none: 'No' },
  },
  'customers.templates': { label: 'They update templates' },
  'customers.start': {
    label: 'Subscriptions start',
    choices: { later: 'At once', first: 'Once their first charge is paid' },
  },
  'customers.trials': {
    label: 'Free days',
    choices: {
      once_per_plan: 'Once for each plan',
      once: 'Once for each customer',
      always: 'With every subscription',
    },
  },
  'customers.may_owe': { label: 'They may take more while they owe' },
  'customers.quota': { label: 'What each may store' },
  'customers.quota.records': { label: 'Records' },
  'customers.quota.bytes': { label: 'Bytes' },
};
