import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  IMAGE_TYPES,
  ImageContentQuery,
  ImageContentReader,
  ImageRecord,
  ImageRemover,
  Images,
  MAX_IMAGE_PIXELS,
  type Upload,
} from '@commerce/catalog';
import type { Caller } from '@commerce/data';
import type { Request, Response } from 'express';

import { ApiKeyOnly, Open, UserOrAdmin } from '../http/access.js';
import { Answers, AnswersFile, Describe, Faults, Reads, ReadsFile } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post } from '../http/methods.js';
import { Calling, Id, QueryOf } from '../http/params.js';
import { sendImage } from './image-content.js';
import { ImageUploadGuard, Uploaded } from './image-upload.guard.js';

@ApiTags('images')
@Controller('images')
export class ImagesController {
  constructor(
    private readonly images: Images,
    private readonly contents: ImageContentReader,
    private readonly remover: ImageRemover,
  ) {}

  @Describe(
    'Upload an image',
    `A png, jpeg, webp, gif or avif file of at most 10 MiB and ${String(MAX_IMAGE_PIXELS / 1_000_000)} megapixels. The type is recognised by the bytes, not by the name.`,
  )
  @Post()
  @UserOrAdmin()
  @UseGuards(ImageUploadGuard)
  @ReadsFile('file', 'at most 10 MiB')
  @Answers(ImageRecord)
  @Faults('image.unsupported', 'image.quota_exceeded', 'service.overloaded')
  create(@Calling() caller: Caller, @Uploaded() upload: Upload): Promise<ImageRecord> {
    return this.images.create(caller, upload);
  }

  @Describe(
    'Retrieve an image',
    'The record of the image; its content is at `url`. Deleted images are shown to admins only.',
  )
  @Get(':id')
  @ApiKeyOnly()
  @Answers(ImageRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ImageRecord> {
    return this.images.get(caller, id);
  }

  @Describe(
    'Delete an image',
    'Users delete the images that they uploaded, admins every image of the company. The image keeps its record, with `deleted` set; its content is removed, and it counts towards no quota any more. An image that a product or a resource shows is not deleted.',
  )
  @Delete(':id')
  @UserOrAdmin()
  @InOneCommit()
  @Answers(ImageRecord)
  @Faults('image.in_use')
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ImageRecord> {
    return this.remover.delete(caller, id);
  }

  @Describe(
    'Retrieve the content of an image',
    'The bytes, in whole or in part; with `width` those of a smaller variant. The content behind an id never changes, so it may be cached for ever.',
  )
  @Get(':id/content')
  @Open()
  @AnswersFile(...IMAGE_TYPES)
  @Reads('If-None-Match', 'Range', 'If-Range')
  async content(
    @Id() id: string,
    @QueryOf(ImageContentQuery) query: ImageContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendImage(await this.contents.content(id, query), request, response);
  }
}
