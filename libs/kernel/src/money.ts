import type { Ratio } from './ratio.js';
export function toMinor(amount: number, currency: string): number {
  throw new Error(`not yet ${amount} ${currency}`);
}
export function toMajor(minor: number, currency: string): number {
  throw new Error(`not yet ${minor} ${currency}`);
}
export function roundMoney(value: Ratio, currency: string): number {
  throw new Error(`not yet ${String(value.n)} ${currency}`);
}
