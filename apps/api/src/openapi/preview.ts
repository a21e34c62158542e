import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';

import { ApiModule } from '../api.module.js';
import { openApiDocument } from './document.js';

/** The document without a running service: in preview nothing is instantiated, so no database is needed. */
export async function previewDocument(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(ApiModule, { preview: true, logger: false, abortOnError: false });
  return openApiDocument(app);
}
