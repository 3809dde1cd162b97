// A yes from the user: by --yes, or by an answer at a terminal. Without a terminal nobody can answer, and
// nothing is taken for granted.
import { CommandFailure } from './exit-with-message.ts';

export async function confirmed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new CommandFailure(`${question} Nobody can be asked here: say --yes`, 2);
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}
