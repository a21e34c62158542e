import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import { SlowResults } from '@commerce/platform';

import { ForecastReader, type Forecast } from './forecast-reader.js';
import type { ForecastQuery } from './forecast.dto.js';

/** Forecasts for callers over HTTP, who cannot wait for a large company. */
@Injectable()
export class RecentForecastReader {
  private readonly recent = new SlowResults<Forecast>();

  constructor(private readonly reader: ForecastReader) {}

  /**
   * A forecast; that of a large company in real time may be minutes old, as its `from` says.
   * @throws Fault `test_clock.unknown`; `query.timeout` where it was not computed in time: asked again, it may be there
   */
  async forecast({ company }: Caller, query: ForecastQuery): Promise<Forecast> {
    const { months, test_clock } = query;
    // A test clock has a time of its own: its forecasts are always new.
    const key = test_clock === null ? `${company.toHexString()} ${months}` : null;
    const found = await this.recent.get(key, (signal) => this.reader.forecast({ company }, query, signal));
    if (found !== null) return found;
    throw fault(
      'query.timeout',
      'The forecast takes long: ask again in a while, for fewer months, or use the admin command',
    );
  }
}
