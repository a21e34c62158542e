import { Inject } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { SystemClock, type Id } from '@commerce/platform';
import { Command, Option } from 'nest-commander';

import {
  AdminCommand,
  confirmAtTerminal,
  idOption,
  type CommonOptions,
  type Outcome,
} from '../admin-command.js';
import { EXAMINATIONS } from '../doctor/examinations.js';
import type { Examination, Finding } from '../doctor/finding.js';
import { Service } from '../service.js';

interface Options extends CommonOptions {
  readonly company?: string;
  readonly fix?: boolean;
  readonly yes?: boolean;
}

type Shown = Pick<Finding, 'kind' | 'id' | 'detail'> & { fixed?: boolean };

@Command({
  name: 'doctor',
  description:
    'compares payments, provider, subscriptions, coupons, events and product links; exits with 1 if anything is off',
})
export class DoctorCommand extends AdminCommand<Options> {
  constructor(
    private readonly service: Service,
    @Inject(EXAMINATIONS) private readonly examinations: readonly Examination[],
  ) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const findings: Finding[] = [];
    for await (const finding of this.examine(options)) findings.push(finding);
    const mendable = findings.filter(({ mend }) => mend !== null).length;
    if (options.fix === true && mendable > 0)
      await confirmAtTerminal(
        `Repair ${String(mendable)} of ${String(findings.length)} findings?`,
        options.yes,
      );
    const shown: Shown[] = [];
    for (const finding of findings) shown.push(await this.treat(finding, options.fix === true));
    const left = shown.filter(({ fixed }) => fixed !== true).length;
    const lines = shown.map(
      ({ kind, id, detail, fixed }) => `${kind}  ${id}  ${detail}${fixed === true ? '  (repaired)' : ''}`,
    );
    const total =
      findings.length === 0 ? 'Everything is as it must be.' : `${String(left)} findings are left.`;
    return { json: { findings: shown }, lines: [...lines, total], failed: left > 0 };
  }

  private async *examine(options: Options): AsyncGenerator<Finding> {
    const now = (await this.service.get(SystemClock)).now();
    for await (const company of this.companies(options)) {
      for (const examination of this.examinations) yield* examination.examine(company, now);
    }
  }

  private async *companies(options: Options): AsyncGenerator<Id> {
    const companies = await this.service.get(Companies);
    if (options.company !== undefined) {
      yield (await companies.get(idOption(options.company, 'company')))._id;
      return;
    }
    for await (const { _id } of companies.all()) yield _id;
  }

  /** One repair that fails must not keep the others from being made. */
  private async treat({ kind, id, detail, mend }: Finding, fix: boolean): Promise<Shown> {
    const shown = { kind, id, detail };
    if (!fix) return shown;
    if (mend === null) return { ...shown, fixed: false };
    try {
      await mend();
      return { ...shown, fixed: true };
    } catch (error) {
      process.stderr.write(`${kind} ${id} could not be repaired: ${String(error)}\n`);
      return { ...shown, fixed: false };
    }
  }

  @Option({ flags: '--company <id>', description: 'only this company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--fix', description: 'repairs what can be repaired' })
  readFix(): boolean {
    return true;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
