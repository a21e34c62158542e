import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDataDir, type Stack } from '@commerce/stack';
import { providerCharges, residentMib, type Message } from '@commerce/testing';

import type { Payment } from './records.js';
import { day, money, type Screen } from './screen.js';
import type { Outcome } from './scenario.js';

const MAX_MIB = 250;

/** The results to check at the end. */
export interface Finale {
  readonly screen: Screen;
  readonly stack: Stack;
  readonly outcome: Outcome;
  readonly messages: readonly Message[];
  readonly seconds: number;
}

interface Check {
  readonly text: string;
  readonly value: string;
  readonly good: boolean;
}

/** Shows the checks; true when all passed. */
export async function summarise({ screen, stack, outcome, messages, seconds }: Finale): Promise<boolean> {
  screen.title('In the end');
  const checks = [
    preview(outcome),
    await charges(stack, [...outcome.payments, outcome.bought]),
    signatures(messages),
    invoice(outcome),
    memory('API', stack.pids.api),
    memory('worker', stack.pids.worker),
  ];
  for (const { text, value, good } of checks) screen.check(text, value, good);
  screen.write(`\n  ${seconds.toFixed(0)} s, four months`);
  screen.write(`  The last invoice: ${keep(outcome)}\n`);
  return checks.every(({ good }) => good);
}

/** Checks that the charges equal the previews from before the subscription began and before its upgrade, with the same dates. */
function preview({ expected, payments }: Outcome): Check {
  const line = (date: Date, amount: number): string => `${day(date)} ${String(amount)}`;
  const shown = expected.map(({ date, amount }) => line(date, amount));
  const charged = payments.map(({ created, amount }) => line(created, amount));
  const good = shown.length > 0 && shown.every((one, index) => charged[index] === one);
  return { text: 'charged as the preview showed', value: `${String(shown.length)} payments`, good };
}

/** Checks that the provider has exactly one charge of the same amount for each payment. */
async function charges(stack: Stack, payments: readonly Payment[]): Promise<Check> {
  const { STRIPE_API_BASE: url = '', STRIPE_SECRET_KEY: key = '' } = stack.env;
  const line = (intent: string, cents: number, refunded: number): string =>
    `${intent} ${String(cents)} ${String(refunded)}`;
  const theirs = (await providerCharges(url, key))
    .map((charge) => line(charge.payment_intent, charge.amount, charge.amount_refunded))
    .sort();
  const ours = payments
    .map(({ metadata, amount, refunded_amount }) =>
      line(metadata.payment_intent_id ?? '', Math.round(amount * 100), Math.round(refunded_amount * 100)),
    )
    .sort();
  const net = payments.reduce((sum, one) => sum + one.amount - one.refunded_amount, 0);
  return {
    text: 'charges at the provider are the payments here',
    value: `${String(theirs.length)} = ${String(ours.length)}, ${money(net)} net`,
    good: ours.length > 0 && ours.join() === theirs.join(),
  };
}

function invoice({ invoice: pdf, number }: Outcome): Check {
  const good = Buffer.from(pdf).subarray(0, 5).toString('latin1') === '%PDF-';
  return { text: `invoice ${number} as PDF`, value: `${(pdf.length / 1024).toFixed(0)} KiB`, good };
}

/** Writes the invoice to the data folder, where it outlives the demo. */
function keep({ invoice: pdf, number }: Outcome): string {
  const folder = join(readDataDir(process.env), 'demo');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${number}.pdf`);
  writeFileSync(path, pdf);
  return path;
}

function signatures(messages: readonly Message[]): Check {
  const right = messages.filter(({ signed }) => signed).length;
  const good = messages.length > 0 && right === messages.length;
  const value = `${String(right)} of ${String(messages.length)}`;
  return { text: 'webhooks with both signatures right', value, good };
}

function memory(name: string, pid = 0): Check {
  const mib = residentMib(pid);
  return {
    text: `memory of the ${name}, less than ${String(MAX_MIB)} MiB`,
    value: `${mib.toFixed(0)} MiB`,
    good: mib < MAX_MIB,
  };
}
