import { eventually } from '@commerce/testing';
import type { Locator } from 'playwright-core';

import { Scenario } from '../flows/scenario.js';
import type { World } from '../world.js';

export interface Subscribed {
  readonly scenario: Scenario;
  readonly id: string;
}

/** A customer with 30.00 a month since 1 April, on 16 April. */
export async function subscribed(world: World, plan: object = { prepay: true }): Promise<Subscribed> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card();
  const id = await scenario.subscribed(plan, { payment_method });
  await scenario.settled(id);
  await scenario.until('2026-04-16');
  return { scenario, id };
}

/** Waits until a dialog says exactly these lines. */
export async function says(dialog: Locator, lines: readonly string[]): Promise<void> {
  const said = await eventually(
    () => dialog.getByRole('status').getByRole('listitem').allTextContents(),
    (now) => JSON.stringify(now) === JSON.stringify(lines),
    20_000,
  ).catch(() => dialog.getByRole('status').getByRole('listitem').allTextContents());
  expect(said).toEqual(lines);
}
