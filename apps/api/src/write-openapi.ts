import 'reflect-metadata';

import { writeFileSync } from 'node:fs';

import { NestFactory } from '@nestjs/core';
import { startOrExplain } from '@commerce/platform';

import { ApiModule } from './api.module.js';
import { openApiDocument } from './operations/docs.js';

/** Writes openapi.json. In preview nothing is instantiated, so no database and no queue is needed. */
startOrExplain('The writing of openapi.json', async () => {
  const app = await NestFactory.create(ApiModule, { preview: true, logger: false, abortOnError: false });
  writeFileSync('openapi.json', `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
});
