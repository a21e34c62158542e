import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { SearchController } from './search.controller.js';
import { SearchEverywhereReader } from './search-everywhere-reader.js';

/** The search everywhere. Each lib marks its finders, so that none needs to be imported here. */
@Module({
  imports: [DiscoveryModule],
  controllers: [SearchController],
  providers: [SearchEverywhereReader],
})
export class SearchApiModule {}
