import { execFileSync } from 'node:child_process';

import { day, money } from './screen.mjs';

const MAX_MIB = 250;

/**
 * Says whether all is as it must be.
 *
 * @returns {Promise<boolean>}
 */
export async function summarise({ screen, stack, told, receiver, seconds }) {
  screen.title('In the end');
  const checks = [
    preview(told),
    await charges(stack, told.payments),
    signatures(receiver),
    memory('API', stack.pids.api),
    memory('worker', stack.pids.worker),
  ];
  for (const { text, value, good } of checks) screen.check(text, value, good);
  screen.write(`\n  ${seconds.toFixed(0)} s, four months\n`);
  return checks.every(({ good }) => good);
}

/** What the preview showed before the subscription began is what was charged, at the same dates. */
function preview({ expected, payments }) {
  const line = (date, amount) => `${day(date)} ${amount}`;
  const shown = expected.map(({ date, amount }) => line(date.$date ?? date, amount));
  const charged = payments.map(({ created, amount }) => line(created.$date, amount));
  const good = shown.length > 0 && shown.every((one, index) => charged[index] === one);
  return { text: 'charged as the preview showed', value: `${shown.length} payments`, good };
}

/** One charge at the provider for each payment, by the same amounts, and nothing besides. */
async function charges(stack, payments) {
  const response = await fetch(`${stack.env.STRIPE_API_BASE}/v1/charges?limit=100`, {
    headers: { Authorization: `Bearer ${stack.env.STRIPE_SECRET_KEY}` },
  });
  const { data } = await response.json();
  const taken = data.filter(({ status, captured }) => status === 'succeeded' && captured !== false);
  const line = (intent, cents, refunded) => `${intent} ${cents} ${refunded}`;
  const theirs = taken.map((one) => line(one.payment_intent, one.amount, one.amount_refunded)).sort();
  const ours = payments
    .map(({ metadata, amount, refunded_amount }) =>
      line(metadata.payment_intent_id, Math.round(amount * 100), Math.round(refunded_amount * 100)),
    )
    .sort();
  const net = payments.reduce((sum, one) => sum + one.amount - one.refunded_amount, 0);
  return {
    text: 'charges at the provider are the payments here',
    value: `${theirs.length} = ${ours.length}, ${money(net)} net`,
    good: ours.length > 0 && ours.join() === theirs.join(),
  };
}

function signatures({ messages }) {
  const verified = messages.filter(({ hex, standard }) => hex && standard).length;
  const good = messages.length > 0 && verified === messages.length;
  return { text: 'webhooks with both signatures right', value: `${verified} of ${messages.length}`, good };
}

/** Resident memory of a process, as ps tells it in KiB. */
function memory(name, pid) {
  const mib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  return {
    text: `memory of the ${name}, less than ${MAX_MIB} MiB`,
    value: `${mib.toFixed(0)} MiB`,
    good: mib < MAX_MIB,
  };
}
