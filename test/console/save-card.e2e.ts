import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start({ worker: false });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

describe('The cards of a customer', () => {
  it(
    'are saved by the customer, by a link that the page gives',
    async () => {
      const { id } = await world.user({ name: 'Clive Cardless' });
      const page = await browser.signedIn(world, `/users/${id}`);
      const cards = page.getByRole('region', { name: 'Cards' });
      await cards.getByText('No card is saved.').waitFor();
      await cards.getByRole('button', { name: 'Link to save a card' }).press('Enter');
      const field = cards.getByLabel('A page on which the customer saves a card');
      await field.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const link = new URL(await field.inputValue());
      const customer = await page.context().newPage();
      await customer.goto(world.baseUrl + link.pathname);
      await customer.getByRole('button', { name: 'Save the card' }).press('Enter');
      await customer.getByRole('heading', { name: 'The card is saved' }).waitFor();
      await page.close();
      const again = await browser.signedIn(world, `/users/${id}`);
      await again.getByRole('region', { name: 'Cards' }).getByText('Visa •••• 4242').waitFor();
      await again.close();
    },
    SLOW,
  );
});
