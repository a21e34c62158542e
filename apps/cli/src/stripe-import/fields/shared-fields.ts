import { ignored } from './field-table.js';

/** Reasons that several fields share. */
export const RECORD = ignored('it identifies or dates the record');
export const WORDS = ignored('people read it, nothing is computed from it');
export const PAST = ignored('it tells what has happened, not what comes next');
export const SHOP = ignored('it matters to new purchases only');
export const REPEATED = ignored('other fields that are read say the same');
