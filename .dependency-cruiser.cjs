/**
 * Imports go one way:
 *   kernel <- platform <- records <- data <- jobs <- { identity, events, process } <- { catalog, payments }
 *     <- { orders, billing, invoices } <- doctor <- apps
 * Siblings do not see each other. Other libs are entered through their index only.
 */
const rest = 'catalog|payments|billing|orders|invoices|doctor|testing';
const above = {
  kernel: `platform|records|data|jobs|process|identity|events|${rest}`,
  platform: `records|data|jobs|process|identity|events|${rest}`,
  records: `data|jobs|process|identity|events|${rest}`,
  data: `jobs|process|identity|events|${rest}`,
  jobs: `process|identity|events|${rest}`,
  process: `identity|events|${rest}`,
  identity: `process|events|${rest}`,
  events: `process|identity|${rest}`,
  catalog: 'process|payments|billing|orders|invoices|doctor|testing',
  payments: 'process|catalog|billing|orders|invoices|doctor|testing',
  billing: 'process|orders|invoices|doctor|testing',
  orders: 'process|billing|invoices|doctor|testing',
  invoices: 'process|billing|orders|doctor|testing',
  doctor: 'process|testing',
};

const directions = Object.entries(above).map(([lib, forbidden]) => ({
  name: `${lib}-looks-down-only`,
  severity: 'error',
  from: { path: `^libs/${lib}/` },
  to: { path: `^(libs/(${forbidden})/|apps/)` },
}));

module.exports = {
  forbidden: [
    ...directions,
    {
      name: 'scripts-look-down-only',
      comment: 'system <- setup <- scripts',
      severity: 'error',
      from: { path: '^scripts/(?:system|(setup))/' },
      to: { path: '^(apps|libs|test|tools|scripts)/', pathNot: '^scripts/(system|$1)/' },
    },
    {
      name: 'stack-stands-alone',
      comment: 'It starts the service and knows nothing of it; the tools and the tests stand on it.',
      severity: 'error',
      from: { path: '^libs/stack/' },
      to: { path: '^(apps|libs|test|tools)/', pathNot: '^libs/stack/' },
    },
    {
      name: 'scripts-run-before-packages-are-installed',
      comment: 'They install them. Whatever needs a package is imported when it is there.',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '^scripts/jest/' },
      to: { path: 'node_modules/', dynamic: false },
    },
    {
      name: 'tools-are-outside',
      comment:
        'They use the service as anybody does, over HTTP; of the libs they know stack and testing only.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(apps/|libs/(?!(stack|testing)/src/index\\.ts))' },
    },
    {
      name: 'tools-do-not-see-each-other',
      severity: 'error',
      from: { path: '^tools/([^/]+)/' },
      to: { path: '^tools/', pathNot: '^tools/$1/' },
    },
    {
      name: 'tools-are-not-imported',
      severity: 'error',
      from: { path: '^(apps|libs|scripts|test)/' },
      to: { path: '^tools/' },
    },
    {
      name: 'embedded-engine-in-its-room',
      comment:
        'What the embedded server needs beyond MongoDB is chosen at the start, and known nowhere else.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/data/src/engines/(embedded/|choose-engine\\.ts$)' },
      to: { path: '^libs/data/src/engines/embedded/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'folders-of-one-lib-in-one-direction',
      severity: 'error',
      scope: 'folder',
      from: { path: '^libs/' },
      to: { circular: true, path: '^libs/' },
    },
    {
      name: 'folders-within-a-folder-stand-below-it',
      comment: 'The rule above does not compare a folder with those within it.',
      severity: 'error',
      from: { path: '^(libs/[^/]+/src/[^/]+)/[^/]+/' },
      to: { path: '^$1/[^/]+$' },
    },
    {
      name: 'libs-are-entered-by-their-index',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/(?!index)', pathNot: '^libs/$1/' },
    },
    {
      name: 'apps-enter-libs-by-their-index',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^libs/[^/]+/src/(?!index)' },
    },
    {
      name: 'apps-do-not-see-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'kernel-is-pure',
      comment: 'No Nest, Mongoose, queue, SDK or environment in the kernel and in the billing domain.',
      severity: 'error',
      from: {
        path: '^libs/(kernel/|(billing|orders)/src/domain/|invoices/src/content/)',
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: 'node_modules/(@nestjs|mongoose|bullmq|ioredis|stripe|undici|express)|^(node:)?(fs|http|https|net|child_process)$',
      },
    },
    {
      name: 'mongoose-in-records-and-stores',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot: '^libs/(records|data|stack|testing)/|\\.store\\.ts$|\\.spec\\.ts$',
      },
      to: { path: 'node_modules/(mongoose|@nestjs/mongoose|mongodb|bson)/' },
    },
    {
      name: 'bullmq-in-jobs',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot: '^libs/(jobs|platform/src/redis|stack|testing)/|\\.spec\\.ts$',
      },
      to: { path: 'node_modules/(bullmq|@nestjs/bullmq|ioredis)/' },
    },
    {
      name: 'stripe-in-its-adapter',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: '^libs/payments/src/stripe/|\\.spec\\.ts$' },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: '^libs/testing/|\\.spec\\.ts$' },
      to: { path: '^libs/(stack|testing)/', pathNot: '^libs/stack/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot:
          '\\.(spec|e2e|flow|fault|contract|bench)\\.ts$|/main\\.ts$|/index\\.ts$|\\.d\\.ts$|^scripts/jest/|/assets/',
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
