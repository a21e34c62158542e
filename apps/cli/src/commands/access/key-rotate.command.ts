import { SigningKeys } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { AdminCommand, type CommonOptions, type Outcome } from '../../admin-command.js';
import { confirm } from '../../confirm.js';
import { putOnRecord } from '../../installation-audit-log.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly yes?: boolean;
}

@Command({
  name: 'key:rotate',
  description:
    'for an emergency: replaces the keys that sign tokens; all tokens and pay links become invalid',
})
export class KeyRotateCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    await confirm('Make every user token and every link to the pay page invalid?', options.yes);
    await putOnRecord(this.service);
    const deleted = await (await this.service.get(SigningKeys)).replaceAll();
    return {
      json: { deleted },
      lines: [`${String(deleted)} keys are deleted; a new one signs from now on.`],
    };
  }

  @Option({ flags: '--yes', description: 'do not ask' })
  readYes(): boolean {
    return true;
  }
}
