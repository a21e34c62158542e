import { Module } from '@nestjs/common';
import { PaymentsModule } from '@commerce/payments';

import { PayController } from './pay.controller.js';

@Module({ imports: [PaymentsModule], controllers: [PayController] })
export class PayApiModule {}
