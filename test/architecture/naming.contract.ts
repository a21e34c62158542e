import { basename } from 'node:path';

import { sourcesIn } from './sources.js';

const CODE = ['libs', 'apps', 'test', 'tools', 'scripts'];

/** The roles that are no agent nouns; Writer, Processor, Reconciler and their like need no list. */
const ROLES = [
  'Cache',
  'Commit',
  'Check',
  'Client',
  'Clock',
  'Codec',
  'Context',
  'Database',
  'Factory',
  'Guard',
  'Interceptor',
  'Log',
  'Metrics',
  'Queue',
  'Relay',
  'Seed',
  'Settlement',
  'Setup',
  'Signal',
  'Store',
  'Sweep',
  'Usage',
];

/** Injectables named by the plural of the things that they hold or create, besides the records. */
const COLLECTIONS = [
  'CardLinks',
  'CardPages',
  'Leases',
  'OrderPayments',
  'PayCustomers',
  'PayLinks',
  'PayPages',
  'PaymentOwners',
  'ProviderPaces',
  'ProviderWebhooks',
  'StripeProviders',
  'UniqueNames',
  'Tokens',
  'UnitsOfWork',
  'WebhookSecrets',
];

const SAYS_NOTHING = /(Service|Manager|Helper|Utils?|Impl|Base)$/;

const code = sourcesIn(CODE, ['.ts']).filter(({ path }) => !path.endsWith('naming.contract.ts'));

/** The names of the classes in these files that have one of these decorators. */
function classesWith(decorators: RegExp): { name: string; path: string }[] {
  return code
    .filter(({ path }) => /^(libs|apps)\//.test(path) && !path.endsWith('.spec.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)]
        .filter((found) =>
          decorators.test(
            text
              .slice(0, found.index)
              .split(/\n\s*\n/)
              .at(-1) ?? '',
          ),
        )
        .map(([, name = '']) => ({ name, path })),
    );
}

/** The plural of `payment_method` as a service of its use cases is named. */
function pluralOf(noun: string): string {
  const words = noun.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join('').replace(/([^aeiou])y$/, '$1ie') + 's';
}

const records = code
  .filter(({ path }) => path.endsWith('.record.ts'))
  .flatMap(({ text }) => [...text.matchAll(/\bnoun: '(\w+)'/g)].map(([, noun = '']) => pluralOf(noun)));

function isNamedByItsRole(name: string): boolean {
  if (records.includes(name) || COLLECTIONS.includes(name)) return true;
  return /(er|or|Workers)$/.test(name) || ROLES.some((role) => name.endsWith(role));
}

describe('Names of classes', () => {
  it('are, for injectables, the plural of a record or end in a role', () => {
    const injectables = classesWith(/@(Injectable|Catch)\(/);
    expect(injectables.length).toBeGreaterThan(100);
    const wrong = injectables.filter(({ name }) => !isNamedByItsRole(name) || SAYS_NOTHING.test(name));
    expect(wrong).toEqual([]);
  });

  it('end in Controller or Command for entry points', () => {
    const controllers = classesWith(/@Controller\(/);
    expect(controllers.length).toBeGreaterThan(15);
    expect(controllers.filter(({ name }) => !name.endsWith('Controller'))).toEqual([]);
    expect(classesWith(/@Command\(/).filter(({ name }) => !name.endsWith('Command'))).toEqual([]);
  });
});

describe('Names of methods', () => {
  it('state the result: none is called `of`', () => {
    const wrong = code.filter(({ text }) => /^ {2}(async )?of\(/m.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('Names of files', () => {
  it('are kebab-case', () => {
    const wrong = code.filter(({ path }) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/.test(basename(path)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['.store.ts', /extends RecordStore\b/],
    ['.record.ts', /^@RecordOf\(/m],
    ['.controller.ts', /^@Controller\(/m],
    ['.command.ts', /^@Command\(/m],
    ['.module.ts', /^@Module\(/m],
  ])('end in %s where they hold such a class', (ending, holds) => {
    const wrong = code.filter(
      ({ path, text }) => /^(libs|apps)\//.test(path) && holds.test(text) && !path.endsWith(ending),
    );
    expect(wrong.map(({ path }) => path).filter((path) => !path.endsWith('.spec.ts'))).toEqual([]);
  });
});
