import { Module } from '@nestjs/common';

import { AuditController } from './audit.controller.js';
import { KeysController } from './keys.controller.js';
import { UsersController } from './users.controller.js';
import { WellKnownController } from './well-known.controller.js';

@Module({ controllers: [AuditController, KeysController, UsersController, WellKnownController] })
export class IdentityApiModule {}
