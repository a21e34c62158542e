import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { PNG, made as madeImage } from './image-files.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('GET /resources', () => {
  it('filters by status and deletion, pages and sorts', async () => {
    const { admin } = await world.stranger();
    const made = await admin.made('/resources/bulk', [
      { name: 'b', status: 'IDLE' },
      { name: 'a', status: 'DONE' },
      { name: 'c' },
    ]);
    await admin.delete(`/resources/${idIn(made[2])}`);
    expect(names(await admin.read('/resources', { sort: 'name' }))).toEqual(['a', 'b']);
    expect(names(await admin.read('/resources', { sort: 'name', include_deleted: true }))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(names(await admin.read('/resources', { status: 'done' }))).toEqual(['a']);
    expect(names(await admin.read('/resources', { sort: '-name', size: 1, page: 1 }))).toEqual(['a']);
    const next = await admin.read('/resources', { sort: 'name', size: 1, after: idIn(made[1]) });
    expect(names(next)).toEqual(['b']);
    const from_date = made[0].created.$date as number;
    expect(await admin.read('/resources', { from_date, to_date: from_date + 1 })).toHaveLength(2);
    expect(await admin.read('/resources', { to_date: from_date })).toEqual([]);
    expect(await admin.read('/resources', { page: 90 })).toEqual([]);
  });

  it.each<Record<string, string | number>>([
    { size: 0 },
    { size: 101 },
    { size: '0x10' },
    { page: 1e9 },
    { status: 'GONE' },
    { 'status[$ne]': 'DONE' },
    { sort: '$where' },
    { sort: '--name' },
    { from_date: 'NaN' },
    { to_date: '-1' },
    { user: 'x' },
  ])('refuses %j', async (query) => {
    expect((await world.admin.get('/resources', query)).status).toBe(422);
  });
});

describe('GET /resources/search', () => {
  it('searches names, descriptions, reference ids and image URLs', async () => {
    const { admin } = await world.stranger();
    const picture = await madeImage(admin, PNG.bytes, 'van.png');
    const [van, bike] = await admin.made('/resources/bulk', [
      { name: 'Delivery VAN', description: 'white, 3 seats', reference_id: 'FLEET-0007' },
      { name: 'Bike', image: idIn(picture) },
    ]);
    const found = async (query: string): Promise<string[]> =>
      names(await admin.read('/resources/search', { query }));
    expect(await found('very van')).toEqual(['Delivery VAN']);
    expect(await found('3 SEATS')).toEqual(['Delivery VAN']);
    expect(await found('fleet-00')).toEqual(['Delivery VAN']);
    expect(await found(picture.url)).toEqual(['Bike']);
    expect(await found(idIn(picture).slice(3))).toEqual(['Bike']);
    expect(await found(idIn(van).toUpperCase())).toEqual(['Delivery VAN']);
    expect(await found(bike.human_id)).toEqual(['Bike']);
    expect(await found('e')).toEqual(['Delivery VAN', 'Bike']);
    expect(await found('.*')).toEqual([]);
    expect(await world.admin.read('/resources/search', { query: idIn(van) })).toEqual([]);
    await admin.put(`/resources/${idIn(bike)}`, { image: null, name: 'Trike' });
    expect(await found(picture.url)).toEqual([]);
    expect(await found('trike')).toEqual(['Trike']);
    expect((await admin.get('/resources/search')).status).toBe(422);
  });
});
