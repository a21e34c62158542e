import { idIn } from '@commerce/testing';
import supertest from 'supertest';

import { SAMPLE_IMAGES } from '../../libs/catalog/src/images/images.spec-data.js';
import { World } from '../world.js';

let world: World;
let address: string;
beforeAll(async () => {
  world = await World.start({ worker: false });
  const { body } = await supertest(world.baseUrl)
    .post('/images')
    .set('X-Service-Api-Key', world.apiKey)
    .set('Authorization', `Bearer ${world.serviceKey}`)
    .attach('file', SAMPLE_IMAGES[0]!.bytes, 'photo.png');
  address = `${world.baseUrl}/images/${idIn(body)}/content`;
});
afterAll(() => world.stop());

describe('An image that the caller holds', () => {
  it('is not sent again to fetch(), which adds Cache-Control: no-cache', async () => {
    const first = await fetch(address);
    const etag = first.headers.get('etag')!;
    await first.arrayBuffer();
    const second = await fetch(address, { headers: { 'If-None-Match': etag } });
    expect([second.status, (await second.arrayBuffer()).byteLength]).toEqual([304, 0]);
    const other = await fetch(address, { headers: { 'If-None-Match': '"x"', 'Cache-Control': 'no-cache' } });
    expect(other.status).toBe(200);
  });
});
