import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import { SlowResults } from '@commerce/platform';

import { ForecastReader, type Forecast } from './forecast-reader.js';
import type { ForecastQuery } from './forecast.dto.js';

/** A forecast that takes longer than a second is kept for ten times as long, so that it takes a tenth of a core at most. */
const KEPT = { slowMs: 1000, times: 10, longestMs: 300_000, replyMs: 20_000 };

/** A forecast goes on for this long after its caller has left; the next one finds it. */
const COMPUTE_MS = 120_000;

/** Forecasts for callers over HTTP, who cannot wait for a large company. */
@Injectable()
export class RecentForecastReader {
  private readonly recent = new SlowResults<Forecast>(KEPT);

  constructor(private readonly reader: ForecastReader) {}

  /**
   * A forecast; that of a large company in real time may be minutes old, as its `from` says.
   * @throws Fault `test_clock.unknown`; `query.timeout` where it was not computed in time: asked again, it may be there
   */
  async forecast({ company }: Caller, query: ForecastQuery): Promise<Forecast> {
    const { months, test_clock } = query;
    const compute = (): Promise<Forecast> =>
      this.reader.forecast({ company }, query, AbortSignal.timeout(COMPUTE_MS));
    // A test clock has a time of its own: its forecasts are always new.
    const key = `${company.toHexString()} ${months}`;
    const found =
      test_clock === null
        ? await this.recent.get(key, compute)
        : await this.reader.forecast({ company }, query, AbortSignal.timeout(KEPT.replyMs));
    if (found !== null) return found;
    throw fault(
      'query.timeout',
      'The forecast takes long: ask again in a while, for fewer months, or use the admin command',
    );
  }
}
