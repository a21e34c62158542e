export function isTimezone(name: string): boolean {
  return name !== '';
}
