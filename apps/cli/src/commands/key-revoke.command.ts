import { Keys, readKey } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../admin-command.js';
import { confirm } from '../confirm.js';
import { ServiceContext } from '../service-context.js';
import { shownKey } from './key-shown.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly key: string;
  readonly yes?: boolean;
}

@Command({ name: 'key:revoke', description: 'revokes a key; within five seconds it stops working' })
export class KeyRevokeCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const company = idOption(options.company, 'company');
    const id = readKey(options.key)?.id ?? idOption(options.key, 'key').toHexString();
    await confirm(`Revoke the key ${id} for good?`, options.yes);
    const revoked = shownKey(await (await this.service.get(Keys)).revoke(company, id));
    return { json: revoked, lines: [`The key ${id} is revoked.`] };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--key <id>', required: true, description: "the key's id, or the key itself" })
  readKeyId(value: string): string {
    return value;
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
