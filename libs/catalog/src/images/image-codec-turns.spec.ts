import { ImageCodec } from './image-codec.js';
import { SAMPLE_IMAGES } from './images.spec-data.js';

it('images of one company do not wait for all those of another', async () => {
  const codec = new ImageCodec();
  const ended: string[] = [];
  const inspect = async (company: string): Promise<void> => {
    await codec.inspect({ company }, () => Promise.resolve(SAMPLE_IMAGES[0]!.bytes));
    ended.push(company);
  };
  await Promise.all([...Array.from({ length: 30 }, () => inspect('a')), inspect('b')]);
  expect(ended.indexOf('b')).toBeLessThan(6);
});
