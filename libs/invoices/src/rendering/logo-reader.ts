import { Injectable } from '@nestjs/common';
import { ImageContentReader } from '@commerce/catalog';
import { parseId, type Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

/** Sharp on paper at the largest size that documents show. */
const MOST_PIXELS = { width: 900, height: 300 };

const MOST_LOGOS = 50;
const KEPT_MS = 300_000;

/** The logos of sellers, as small PNGs. Decoding one takes longer than a document. */
@Injectable()
export class LogoReader {
  private readonly logos = new LRUCache<string, Buffer>({ max: MOST_LOGOS, ttl: KEPT_MS });

  constructor(private readonly images: ImageContentReader) {}

  /** Null where the seller has no logo, or its image was deleted. */
  async read(company: Id, logo: string | null): Promise<Buffer | null> {
    if (logo === null || parseId(logo) === null) return null;
    const key = `${company.toHexString()} ${logo}`;
    const known = this.logos.get(key);
    if (known !== undefined) return known;
    const png = await this.images.png(company, logo, MOST_PIXELS);
    if (png !== null) this.logos.set(key, png);
    return png;
  }
}
