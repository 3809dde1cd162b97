// What a new project needs to know, from flags or from the user at the terminal.
import { validateDns1123Subdomain } from '@instar/go';
import { CommandFailure } from '../exit-with-message.ts';

export interface InitFlags {
  readonly crd?: string;
  readonly name?: string;
  readonly style?: Style;
  readonly group?: string;
  readonly kind?: string;
  readonly image?: string;
  readonly yes?: boolean;
}

export type Style = 'lens' | 'functions';

export interface Answers {
  readonly style: Style;
  /** Undefined: an example of this group and kind. */
  readonly crd: string | undefined;
  readonly group: string;
  readonly kind: string;
}

const USUAL = { style: 'lens', group: 'example.com', kind: 'Widget' } as const;

export async function answersOf(flags: InitFlags): Promise<Answers> {
  const mayAsk = flags.yes !== true && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const asked = mayAsk ? await ask(flags) : {};
  const answers = { crd: flags.crd, ...USUAL, ...given(flags), ...asked };
  const problem = groupProblem(answers.group) ?? kindProblem(answers.kind);
  if (problem !== undefined) throw new CommandFailure(problem, 2);
  return answers;
}

function given({ style, group, kind }: InitFlags): Partial<Answers> {
  return {
    ...(style !== undefined && { style }),
    ...(group !== undefined && { group }),
    ...(kind !== undefined && { kind }),
  };
}

function groupProblem(group: string): string | undefined {
  const isQualified = group.includes('.') && validateDns1123Subdomain(group).length === 0;
  return isQualified
    ? undefined
    : `${JSON.stringify(group)} is not an API group: it must be a name like example.com`;
}

const kindProblem = (kind: string): string | undefined =>
  /^[A-Z][A-Za-z0-9]{0,62}$/.test(kind)
    ? undefined
    : `${JSON.stringify(kind)} is not a kind: it must be a name like Widget`;

/** Only what no flag says. */
async function ask(flags: InitFlags): Promise<Partial<Answers>> {
  const { intro, isCancel, select, text } = await import('@clack/prompts');
  const answered = <T>(answer: T | symbol): T => {
    if (isCancel(answer)) throw new CommandFailure('nothing was made', 130);
    return answer as T;
  };
  intro('instar init');
  const style =
    flags.style ??
    answered(
      await select<Style>({
        message: 'How should the conversion be written?',
        options: [
          { value: 'lens', label: 'as a lens', hint: 'data, for both directions' },
          { value: 'functions', label: 'as functions', hint: 'JavaScript, one a direction' },
        ],
      }),
    );
  if (flags.crd !== undefined) return { style };
  const group =
    flags.group ??
    answered(
      await text({
        message: 'Which API group?',
        initialValue: USUAL.group,
        validate: (value) => groupProblem(value ?? ''),
      }),
    );
  const kind =
    flags.kind ??
    answered(
      await text({
        message: 'Which kind?',
        initialValue: USUAL.kind,
        validate: (value) => kindProblem(value ?? ''),
      }),
    );
  return { style, group, kind };
}
