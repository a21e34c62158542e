import { Companies } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { adminOf } from '../../admin-caller.js';
import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { grid } from '../../output/grid.js';
import { withProgress } from '../../output/progress.js';
import { ServiceContext } from '../../service-context.js';
import type { ImportReport } from '../../stripe-import/import-report.js';
import { StripeImporter } from '../../stripe-import/stripe-importer.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly file: string;
  readonly testClock?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

@Command({
  name: 'import:stripe',
  description: "imports customers, products and subscriptions from lists of Stripe's API; nothing is charged",
})
export class ImportStripeCommand extends AdminCommand<Options> {
  constructor(
    private readonly service: ServiceContext,
    private readonly importer: StripeImporter,
  ) {
    super();
  }

  async perform({ company, file: path, testClock, dryRun = false, yes }: Options): Promise<Outcome> {
    const owner = await (await this.service.get(Companies)).get(idOption(company, 'company'));
    if (!dryRun) await confirmAtTerminal(`Import ${path} into ${owner.name}?`, yes);
    const report = await withProgress((progress) =>
      this.importer.run({
        caller: adminOf(owner),
        path,
        testClock: testClock === undefined ? null : idOption(testClock, 'test-clock'),
        dryRun,
        onObject: (done, what) => progress(done, done, what),
      }),
    );
    const { counts, problems, ended } = report;
    return { json: { dry_run: dryRun, ...counts, ended, problems }, lines: linesOf(report, dryRun) };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({
    flags: '--file <path>',
    required: true,
    description: 'lists of the API, or a line for each object',
  })
  readFile(value: string): string {
    return value;
  }

  @Option({
    flags: '--test-clock <id>',
    description: 'puts the customers on this test clock, to see beforehand what will be charged',
  })
  readTestClock(value: string): string {
    return value;
  }

  @Option({ flags: '--dry-run', description: 'only say what could not be carried over, and why' })
  readDryRun(): boolean {
    return true;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}

function linesOf({ counts, problems, ended }: ImportReport, dryRun: boolean): string[] {
  const right = { align: 'right' } as const;
  const rows = Object.entries(counts).map(([kind, { imported, there }]) => [
    kind.replace('_', ' '),
    imported,
    there,
  ]);
  const heads = [
    '',
    { head: dryRun ? 'to import' : 'imported', ...right },
    { head: 'there already', ...right },
  ];
  const found = problems.map(({ id, why, left }) => [id, left ? 'left at Stripe' : 'imported, but', why]);
  return [
    ...grid(heads, rows),
    ...(problems.length === 0 ? [] : ['', ...grid(['Stripe', 'what becomes of it', 'why'], found)]),
    ...(ended === 0 ? [] : ['', `Subscriptions that had ended: ${String(ended)}`]),
    ...(dryRun || counts.subscriptions.imported === 0
      ? []
      : [
          '',
          'Cancel the imported subscriptions at Stripe before their next date: it goes on charging until then.',
        ]),
  ];
}
