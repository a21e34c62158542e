import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { ImageUploadsSweep } from './image-uploads.sweep.js';
import { TemplateValuesSweep } from './template-values.sweep.js';

@Module({ imports: [CatalogModule], providers: [ImageUploadsSweep, TemplateValuesSweep] })
export class CatalogWorkerModule {}
