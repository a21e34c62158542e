import { Controller, Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  PayByCardBody,
  PayPages,
  type AuthenticationSecret,
  type CardSetupSecret,
  type PayState,
} from '@commerce/payments';
import type { Request, Response } from 'express';

import { Open } from '../http/access.js';
import { Post, Put } from '../http/methods.js';
import { BodyOf } from '../http/params.js';
import { sendDocument } from '../invoices/send-document.js';
import { assetNamed } from './assets.js';
import { sendLinkedPage } from './linked-page.js';
import { payDocument, type ReceivedView } from './pay-document.js';
import { PayLimitGuard } from './pay-limit.guard.js';
import { ReceiptReader, type ReceiptState } from './receipt-reader.js';

/**
 * The page on which a customer pays one payment, and the calls of its script. They need no keys: the link is the
 * credential.
 */
@ApiExcludeController()
@Controller('pay')
@UseGuards(PayLimitGuard)
export class PayController {
  constructor(
    private readonly pages: PayPages,
    private readonly receipts: ReceiptReader,
  ) {}

  @Get('assets/:name')
  @Open()
  @Header('Cache-Control', 'public, max-age=3600')
  asset(@Param('name') name: string, @Res() response: Response): void {
    const { type, text } = assetNamed(name);
    response.type(type).send(text);
  }

  @Get(':token')
  @Open()
  page(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const read = async (): Promise<ReceivedView> => {
      const view = await this.pages.view(token);
      return { ...view, receipt: view.state === 'paid' ? await this.receipts.read(token) : null };
    };
    const documentOf = (view: ReceivedView, nonce: string): string =>
      payDocument(view, { base: `/pay/${token}`, nonce });
    return sendLinkedPage(response, read, documentOf);
  }

  @Get(':token/invoice')
  @Open()
  async receipt(@Param('token') token: string): Promise<{ state: ReceiptState }> {
    const { state } = await this.receipts.read(token);
    return { state };
  }

  @Get(':token/invoice.pdf')
  @Open()
  async receiptPdf(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendDocument(await this.receipts.pdf(token), request, response);
  }

  @Get(':token/credit_notes/:id.pdf')
  @Open()
  async creditNotePdf(
    @Param() { token, id }: { readonly token: string; readonly id: string },
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendDocument(await this.receipts.creditNotePdf(token, id), request, response);
  }

  @Post(':token/authentication')
  @Open()
  authentication(@Param('token') token: string): Promise<AuthenticationSecret> {
    return this.pages.authentication(token);
  }

  @Post(':token/refresh')
  @Open()
  refresh(@Param('token') token: string): Promise<{ state: PayState }> {
    return this.pages.refresh(token);
  }

  @Post(':token/card')
  @Open()
  openCard(@Param('token') token: string): Promise<CardSetupSecret> {
    return this.pages.openCard(token);
  }

  @Put(':token/card')
  @Open()
  payByCard(
    @Param('token') token: string,
    @BodyOf(PayByCardBody) body: PayByCardBody,
  ): Promise<{ state: PayState }> {
    return this.pages.payByCard(token, body);
  }
}
