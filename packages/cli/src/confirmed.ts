// A confirmation by the user: --yes, or an answer at a terminal. Without a terminal nothing is assumed.
import { CommandFailure } from './exit-with-message.ts';

export async function confirmed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new CommandFailure(`${question} There is no terminal to ask: use --yes`, 2);
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}
