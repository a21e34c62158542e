import { randomBytes } from 'node:crypto';

import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isFault } from '@commerce/kernel';
import { CardPages, PayByCardBody, type CardSetupSecret, type CardState } from '@commerce/payments';
import type { Response } from 'express';

import { Open } from '../http/access.js';
import { Post, Put } from '../http/methods.js';
import { BodyOf } from '../http/params.js';
import { cardDocument } from './card-document.js';
import { linkDocument } from './pay-document.js';
import { PayLimitGuard } from './pay-limit.guard.js';
import { contentPolicy } from './pay-policy.js';

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
  async page(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', contentPolicy(nonce, null));
    response.setHeader('Cache-Control', 'no-store');
    response.type('html');
    try {
      const view = await this.pages.view(token);
      response.setHeader('Content-Security-Policy', contentPolicy(nonce, view.library));
      response.send(cardDocument(view, { base: `/cards/${token}`, nonce }));
    } catch (error) {
      if (isFault(error, 'pay_link.expired')) response.status(410).send(linkDocument('expired'));
      else if (isFault(error, 'pay_link.invalid')) response.status(404).send(linkDocument('invalid'));
      else throw error;
    }
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
