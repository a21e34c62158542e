import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  CardPages,
  PayByCardBody,
  type CardSetupSecret,
  type CardState,
  type CardView,
} from '@commerce/payments';
import type { Response } from 'express';

import { Open } from '../http/access.js';
import { Post, Put } from '../http/methods.js';
import { BodyOf } from '../http/params.js';
import { cardDocument } from './card-document.js';
import { sendLinkedPage } from './linked-page.js';
import { PayLimitGuard } from './pay-limit.guard.js';

/**
 * The page on which a customer saves a card in one payment method, and the calls of its script. They need no keys: the
 * link is the credential.
 */
@ApiExcludeController()
@Controller('cards')
@UseGuards(PayLimitGuard)
export class CardsController {
  constructor(private readonly pages: CardPages) {}

  @Get(':token')
  @Open()
  page(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const documentOf = (view: CardView, nonce: string): string =>
      cardDocument(view, { base: `/cards/${token}`, nonce });
    return sendLinkedPage(response, () => this.pages.view(token), documentOf);
  }

  @Post(':token/card')
  @Open()
  openCard(@Param('token') token: string): Promise<CardSetupSecret> {
    return this.pages.openCard(token);
  }

  @Put(':token/card')
  @Open()
  saveCard(
    @Param('token') token: string,
    @BodyOf(PayByCardBody) body: PayByCardBody,
  ): Promise<{ state: CardState }> {
    return this.pages.saveCard(token, body);
  }
}
