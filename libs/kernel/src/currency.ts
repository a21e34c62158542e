export function isCurrency(code: string): boolean {
  return code.length === 3;
}
export function exponentOf(code: string): number {
  throw new Error(`not yet ${code}`);
}
export function minorStep(code: string): 1 | 10 {
  return exponentOf(code) === 3 ? 10 : 1;
}
