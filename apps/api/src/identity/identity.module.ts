import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { AuditController } from './audit.controller.js';
import { CompanyController } from './company.controller.js';
import { KeysController } from './keys.controller.js';
import { UsersController } from './users.controller.js';
import { WellKnownController } from './well-known.controller.js';

@Module({
  imports: [CatalogModule],
  controllers: [AuditController, CompanyController, KeysController, UsersController, WellKnownController],
})
export class IdentityApiModule {}
