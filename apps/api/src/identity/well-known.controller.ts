import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Tokens } from '@commerce/identity';

import { Open } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { KeySetReply } from './identity.replies.js';

@ApiTags('keys')
@Controller('.well-known')
export class WellKnownController {
  constructor(private readonly tokens: Tokens) {}

  @Describe('Retrieve the public keys', 'A JSON Web Key Set, by which anybody can verify user tokens.')
  @Get('jwks.json')
  @Open()
  @Answers(KeySetReply)
  @Header('Cache-Control', 'public, max-age=60')
  keys(): Promise<object> {
    return this.tokens.publicKeys();
  }
}
