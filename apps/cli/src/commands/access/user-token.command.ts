import { Tokens } from '@commerce/identity';
import { Command, Option } from 'nest-commander';

import { AdminCommand, idOption, type CommonOptions, type Outcome } from '../../admin-command.js';
import { ServiceContext } from '../../service-context.js';

interface Options extends CommonOptions {
  readonly company: string;
  readonly user: string;
}

@Command({ name: 'user:token', description: 'issues an access token for an end customer' })
export class UserTokenCommand extends AdminCommand<Options> {
  constructor(private readonly service: ServiceContext) {
    super();
  }

  async perform(options: Options): Promise<Outcome> {
    const company = idOption(options.company, 'company');
    const user = idOption(options.user, 'user').toHexString();
    const token = await (await this.service.get(Tokens)).issueTo(company, user);
    return { json: { user, ...token }, lines: [token.access_token] };
  }

  @Option({ flags: '--company <id>', required: true, description: 'the company' })
  readCompany(value: string): string {
    return value;
  }

  @Option({ flags: '--user <id>', required: true, description: 'the end customer' })
  readUser(value: string): string {
    return value;
  }
}
