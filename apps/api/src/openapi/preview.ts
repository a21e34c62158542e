import 'reflect-metadata';

import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { ApiModule } from '../api.module.js';
import { openApiDocument } from './document.js';
import type { OpenApi } from './openapi.js';

/** The API without a running service: in preview nothing is instantiated, so no database is needed. */
export function previewApi(): Promise<INestApplication> {
  return NestFactory.create(ApiModule, { preview: true, logger: false, abortOnError: false });
}

/** The document, made of the API in preview. */
export async function previewDocument(): Promise<OpenApi> {
  return openApiDocument(await previewApi());
}
