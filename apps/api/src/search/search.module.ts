import { Module } from '@nestjs/common';

import { SearchController } from './search.controller.js';
import { SearchEverywhereReader } from './search-everywhere-reader.js';

@Module({ controllers: [SearchController], providers: [SearchEverywhereReader] })
export class SearchApiModule {}
