/** The width of a digit in a label above a bar, in the units of the drawing. */
const DIGIT = 7;

/**
 * Every how many bars a label may stand so that no two overlap. The last one always has its label.
 * @param step the distance of the bars
 */
export function labelEvery(labels: readonly string[], step: number): number {
  const longest = Math.max(0, ...labels.map((label) => label.length));
  return Math.max(1, Math.ceil(((longest + 1) * DIGIT) / step));
}

/** Whether the bar at this index has a label. */
export function isLabelled(index: number, bars: number, every: number): boolean {
  return (bars - 1 - index) % every === 0;
}
