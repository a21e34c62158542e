import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { ImageUploadsSweep } from './image-uploads.sweep.js';

@Module({ imports: [CatalogModule], providers: [ImageUploadsSweep] })
export class CatalogWorkerModule {}
