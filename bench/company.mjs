/** Founds the company that a benchmark works for and prints {company, api_key, service_key} as JSON. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Companies, IdentityModule, Keys } from '../dist/libs/identity/src/index.js';
import { ConfigModule, LoggingModule, RecordsModule } from '../dist/libs/platform/src/index.js';

class Founding {}
Module({ imports: [ConfigModule, LoggingModule, RecordsModule, IdentityModule] })(Founding);

const app = await NestFactory.createApplicationContext(Founding, { logger: false });
const company = await app.get(Companies).create({ name: 'Benchmarks' });
const keyOf = async (kind) => (await app.get(Keys).create(company._id, kind, 'test')).key;
const keys = { api_key: await keyOf('api'), service_key: await keyOf('service') };
process.stdout.write(`${JSON.stringify({ company: company._id.toHexString(), ...keys })}\n`);
await app.close();
