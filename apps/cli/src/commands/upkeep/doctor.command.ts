import { CHECKS, Walk, type Check, type Finding } from '@commerce/doctor';
import { Companies } from '@commerce/identity';
import { DatabaseClock, DatabaseSizeReader } from '@commerce/data';
import { type Id } from '@commerce/records';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirmAtTerminal } from '../../confirm.js';
import { ProviderBooksCheck } from '../../doctor/provider-books.check.js';
import { grid } from '../../output/grid.js';
import { visible } from '../../output/visible.js';
import { withProgress, type Progress } from '../../output/progress.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company?: string;
  readonly fix?: boolean;
  readonly provider?: boolean;
  readonly yes?: boolean;
}

type Shown = Pick<Finding, 'kind' | 'id' | 'detail'> & { fixed?: boolean };

@Command({
  name: 'doctor',
  description:
    'checks payments against the provider, subscriptions, coupons, events and product links; exits with 1 if anything is wrong',
})
export class DoctorCommand extends AdminCommand<Options> {
  constructor(
    private readonly service: ServiceContext,
    private readonly books: ProviderBooksCheck,
  ) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const findings: Finding[] = [];
    await withProgress(async (progress) => {
      for await (const finding of this.findings(options, progress)) findings.push(finding);
    });
    const repairable = findings.filter(({ repair }) => repair !== null).length;
    if (options.fix === true && repairable > 0) {
      const question = `Repair ${String(repairable)} of ${String(findings.length)} findings?`;
      await confirmAtTerminal(question, options.yes);
      await putOnRecord(this.service, companyIn(options));
    }
    const shown: Shown[] = [];
    for (const finding of findings) shown.push(await this.repaired(finding, options.fix === true));
    const left = shown.filter(({ fixed }) => fixed !== true).length;
    const rows = shown.map(({ kind, id, detail, fixed }) => [
      kind,
      id,
      detail,
      fixed === true ? '(repaired)' : '',
    ]);
    const lines = shown.length === 0 ? [] : [...grid(['finding', 'record', 'what is wrong', ''], rows), ''];
    const total = findings.length === 0 ? 'Everything is in order.' : `${String(left)} findings remain.`;
    return { json: { findings: shown }, lines: [...lines, total], failed: left > 0 };
  }

  private async *findings(options: Options, progress: Progress): AsyncGenerator<Finding> {
    yield* await this.size();
    const now = (await this.service.get(DatabaseClock)).read();
    const companies: Id[] = [];
    for await (const company of this.companies(options)) companies.push(company);
    const checks = await this.service.get<readonly Check[]>(CHECKS);
    const total = companies.length * checks.length;
    let done = 0;
    for (const company of companies) {
      for (const one of checks) {
        progress(done, total, 'checks');
        yield* one.check(new Walk(company, now));
        done += 1;
      }
    }
    if (options.provider !== true) return;
    yield* this.books.check(companyIn(options));
  }

  /** The collections that are larger than the server is known to serve. */
  private async size(): Promise<Finding[]> {
    const found = await (await this.service.get(DatabaseSizeReader)).oversized();
    return found.map(({ collection, count, measured }) => {
      const detail = `${String(count)} documents; the embedded server was measured with ${String(measured)}: move to MongoDB (docs/scaling.md)`;
      return { kind: 'database.too_large', id: collection, detail, repair: null };
    });
  }

  private async *companies(options: Options): AsyncGenerator<Id> {
    const companies = await this.service.get(Companies);
    if (options.company !== undefined) {
      yield (await companies.get(idOption(options.company, 'company')))._id;
      return;
    }
    for await (const { _id } of companies.all()) yield _id;
  }

  /** Repairs one finding. A failed repair must not prevent the others. */
  private async repaired({ kind, id, detail, repair }: Finding, fix: boolean): Promise<Shown> {
    const shown = { kind, id, detail };
    if (!fix) return shown;
    if (repair === null) return { ...shown, fixed: false };
    try {
      await repair();
      return { ...shown, fixed: true };
    } catch (error) {
      process.stderr.write(`${kind} ${id} could not be repaired: ${visible(String(error))}\n`);
      return { ...shown, fixed: false };
    }
  }

  @Option({ flags: '--company <id>', description: 'only this company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--fix', description: 'repair what can be repaired' })
  readFix(): boolean {
    return true;
  }

  @Option({
    flags: '--provider',
    description: "also go through the card provider's books for payments that the database has lost",
  })
  readProvider(): boolean {
    return true;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}

function companyIn({ company }: Options): Id | null {
  return company === undefined ? null : idOption(company, 'company');
}
