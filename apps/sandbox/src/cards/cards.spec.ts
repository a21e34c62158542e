import { cardNamed, cardOfNumber, cardOfToken, CARDS, passesCheck, wantsCustomer } from './cards.js';
import { FAULTS, OUTCOME_NAMES } from './outcomes.js';

describe('test cards', () => {
  it('have names and numbers of their own, and right check digits', () => {
    expect(new Set(CARDS.map(({ name }) => name)).size).toBe(CARDS.length);
    expect(new Set(CARDS.map(({ number }) => number)).size).toBe(CARDS.length);
    expect(CARDS.filter(({ number }) => !passesCheck(number))).toEqual([]);
  });

  it('end in something that is known', () => {
    expect(CARDS.filter(({ outcome }) => !OUTCOME_NAMES.includes(outcome))).toEqual([]);
  });

  it.each([
    ['pm_card_visa', '4242424242424242'],
    ['tok_visa', '4242424242424242'],
    ['pm_card_us', '4242424242424242'],
    ['pm_card_de', '4000002760000016'],
    ['pm_card_chargeDeclined', '4000000000000002'],
    ['pm_card_visa_chargeDeclined', '4000000000000002'],
    ['pm_card_authenticationRequired', '4000002760003184'],
  ])('%s is %s', (token, number) => {
    expect(cardOfToken(token)?.number).toBe(number);
    expect(cardOfNumber(number)).toBe(cardOfToken(token));
  });

  it('have one for every fault', () => {
    for (const name of Object.keys(FAULTS)) expect(cardOfToken(`pm_card_fault_${name}`)?.outcome).toBe(name);
  });

  it('are not made from anything else', () => {
    for (const token of ['pm_card_', 'pm_card_none', 'visa', 'pm_card_constructor', 'tok_toString']) {
      expect(cardOfToken(token)).toBeUndefined();
    }
  });
});

describe('wantsCustomer', () => {
  it.each([
    // name, customer present, away and set up, away and not set up
    ['visa', false, false, false],
    ['authenticationRequired', true, true, true],
    ['authenticationRequiredOnSetup', true, false, true],
    ['authenticationRequiredSetupForOffSession', true, false, false],
  ])('%s: present %s, away after setup %s, away without %s', (name, present, setUpAway, away) => {
    const card = cardNamed(name);
    expect(wantsCustomer(card, { offSession: false, setUp: true })).toBe(present);
    expect(wantsCustomer(card, { offSession: true, setUp: true })).toBe(setUpAway);
    expect(wantsCustomer(card, { offSession: true, setUp: false })).toBe(away);
  });
});
