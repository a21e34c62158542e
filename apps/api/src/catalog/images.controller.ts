import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiTags } from '@nestjs/swagger';
import {
  IMAGE_TYPES,
  ImageContentQuery,
  ImageContentReader,
  ImageRecord,
  Images,
  MAX_IMAGE_PIXELS,
  type Upload,
} from '@commerce/catalog';
import type { Caller } from '@commerce/platform';
import type { Request, Response } from 'express';

import { ApiKeyOnly, Open, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { Calling, Id, QueryOf } from '../http/params.js';
import { sendImage } from './image-content.js';
import { ImageUploadGuard, Uploaded } from './image-upload.guard.js';

@ApiTags('images')
@Controller('images')
export class ImagesController {
  constructor(
    private readonly images: Images,
    private readonly contents: ImageContentReader,
  ) {}

  @Post()
  @UserOrAdmin()
  @UseGuards(ImageUploadGuard)
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: {
          type: 'string',
          format: 'binary',
          description: `at most 10 MiB and ${String(MAX_IMAGE_PIXELS / 1_000_000)} megapixels`,
        },
      },
    },
  })
  @Answers(ImageRecord)
  create(@Calling() caller: Caller, @Uploaded() upload: Upload): Promise<ImageRecord> {
    return this.images.create(caller, upload);
  }

  @Get(':id')
  @ApiKeyOnly()
  @Answers(ImageRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ImageRecord> {
    return this.images.get(caller, id);
  }

  @Get(':id/content')
  @Open()
  @ApiProduces(...IMAGE_TYPES)
  async content(
    @Id() id: string,
    @QueryOf(ImageContentQuery) query: ImageContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendImage(await this.contents.content(id, query), request, response);
  }
}
