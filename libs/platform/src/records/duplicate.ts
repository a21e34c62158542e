const DUPLICATE_KEY = 11000;

/** Whether the server refused a write because a unique value is taken. */
export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === DUPLICATE_KEY;
}
