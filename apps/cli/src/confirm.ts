import { confirm as ask } from '@inquirer/prompts';

import { visible } from './output/visible.js';

/** The time limit for a piped answer, and the wait for an answer after the input has ended. */
const PIPED_MS = 3000;
const LAST_ANSWER_MS = 200;

/**
 * Asks for confirmation before an irreversible action. Without a terminal, the answer may be piped in.
 * @throws Error unless the answer is yes
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  const answer = await answerTo(question);
  if (answer === null) throw new Error(`${question} Nobody answered: say --yes to go on.`);
  if (!answer) throw new Error('Nothing was done.');
}

/** As `confirm`, but for harmless actions: asks only at a terminal. */
export async function confirmAtTerminal(question: string, yes: boolean | undefined): Promise<void> {
  if (process.stdin.isTTY) await confirm(question, yes);
}

/** Null when no answer came. */
async function answerTo(message: string): Promise<boolean | null> {
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const timers: NodeJS.Timeout[] = [];
  if (!process.stdin.isTTY) {
    timers.push(setTimeout(giveUp, PIPED_MS));
    process.stdin.once('end', () => timers.push(setTimeout(giveUp, LAST_ANSWER_MS)));
  }
  try {
    return await ask(
      { message: visible(message), default: false },
      { output: process.stderr, signal: waiting.signal },
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortPromptError') return null;
    if (error instanceof Error && error.name === 'ExitPromptError') return false;
    throw error;
  } finally {
    timers.forEach(clearTimeout);
  }
}
