import type { Client } from '@commerce/testing';
import supertest, { type Response } from 'supertest';

import { SAMPLE_IMAGES, corrupted, noise, sampleOf } from '../../libs/catalog/src/images/images.spec-data.js';

export { SAMPLE_IMAGES, corrupted, noise, sampleOf };

export const [PNG, JPEG] = SAMPLE_IMAGES as [(typeof SAMPLE_IMAGES)[0], (typeof SAMPLE_IMAGES)[0]];

export type Sent = ReturnType<ReturnType<typeof supertest>['post']>;

/** An upload request without its file. */
export function posting(caller: Client, headers: Record<string, string> = {}): Sent {
  const { apiKey, bearer } = caller.credentials;
  const sent = supertest(caller.baseUrl).post('/images').set('X-Service-Api-Key', apiKey).set(headers);
  return bearer === undefined ? sent : sent.set('Authorization', `Bearer ${bearer}`);
}

export async function upload(caller: Client, bytes: Buffer, name = 'photo.png'): Promise<Response> {
  return posting(caller).attach('file', bytes, name);
}

/** The record of an uploaded image. */
export async function made(caller: Client, bytes: Buffer = PNG.bytes, name = 'photo.png'): Promise<any> {
  const { status, body } = await upload(caller, bytes, name);
  if (status !== 200) throw new Error(`${String(status)} ${JSON.stringify(body)}`);
  return body;
}

/** Requests the content of an image without credentials. */
export function contentOf(
  baseUrl: string,
  id: string,
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<Response> {
  return supertest(baseUrl)
    .get(`/images/${id}/content`)
    .query(query)
    .set(headers)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
}

/**
 * A PNG of exactly this many bytes. The service decodes uploads, so a header with arbitrary bytes after it is no image:
 * this one has mostly random pixels, padded after its end with bytes that decoders ignore.
 */
export async function pngOf(bytes: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt((bytes * 0.9) / 3));
  const image = await noise(side, side).png({ compressionLevel: 0 }).toBuffer();
  const rest = Buffer.alloc(bytes - image.length);
  for (let at = 0; at < rest.length; at += 1) rest[at] = (at * 31 + (at >> 8)) % 251;
  return Buffer.concat([image, rest]);
}
