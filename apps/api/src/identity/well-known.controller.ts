import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Tokens } from '@commerce/identity';

import { Open } from '../http/access.js';

@ApiTags('keys')
@Controller('.well-known')
export class WellKnownController {
  constructor(private readonly tokens: Tokens) {}

  /** The public keys by which anybody can check a user token. */
  @Get('jwks.json')
  @Open()
  @Header('Cache-Control', 'public, max-age=60')
  keys(): Promise<object> {
    return this.tokens.publicKeys();
  }
}
