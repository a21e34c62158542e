import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiTags } from '@nestjs/swagger';
import { IMAGE_TYPES, Images, ImageRecord, type Upload } from '@commerce/catalog';
import type { Caller } from '@commerce/platform';
import type { Request, Response } from 'express';

import { ApiKeyOnly, Open, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { Calling, Id } from '../http/params.js';
import { sendImage } from './image-content.js';
import { ImageUploadGuard, Uploaded } from './image-upload.guard.js';

@ApiTags('images')
@Controller('images')
export class ImagesController {
  constructor(private readonly images: Images) {}

  @Post()
  @UserOrAdmin()
  @UseGuards(ImageUploadGuard)
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'at most 10 MiB' } },
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
  async content(@Id() id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendImage(await this.images.content(id), request, response);
  }
}
