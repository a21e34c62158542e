import { Companies, Keys } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { grid } from '../../output/grid.js';
import { ServiceContext } from '../../service-context.js';
import { shownKey } from './key-shown.js';

interface Options extends CommonOptions {
  readonly company: string;
}

@Command({ name: 'key:list', description: 'lists the keys of a company, without their secrets' })
export class KeyListCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const { _id } = await (await this.service.get(Companies)).get(idOption(options.company, 'company'));
    const keys = (await (await this.service.get(Keys)).all(_id)).map(shownKey);
    const rows = keys.map(({ id = null, kind = null, mode = null, last_used: used, ...key }) => [
      ...[id, kind, mode, key['made_by'] ?? 'command line', used ?? 'never', key['expires'] ?? 'never'],
      ...[key['revoked'] ?? null, key['successor'] ?? null],
    ]);
    const heads = ['key', 'kind', 'mode', 'made by', 'last used', 'expires', 'revoked', 'successor'];
    return { json: keys, lines: grid(heads, rows) };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }
}
