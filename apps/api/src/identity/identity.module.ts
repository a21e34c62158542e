import { Module } from '@nestjs/common';

import { UsersController } from './users.controller.js';
import { WellKnownController } from './well-known.controller.js';

@Module({ controllers: [UsersController, WellKnownController] })
export class IdentityApiModule {}
