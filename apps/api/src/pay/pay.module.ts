import { Module } from '@nestjs/common';
import { PaymentsModule } from '@commerce/payments';

import { CardsController } from './cards.controller.js';
import { PayController } from './pay.controller.js';

@Module({ imports: [PaymentsModule], controllers: [CardsController, PayController] })
export class PayApiModule {}
