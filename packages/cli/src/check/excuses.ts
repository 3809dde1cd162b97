// The files of --exceptions, which lint has too, and --baseline.
import { lintRuleNamed, type ParsedExceptions, parseExceptions, ruleNamed } from '@instar/compat';
import { isJsonObject, parseYaml } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { readOneFile } from './sources/files.ts';

const IS_RULE = {
  check: (id: string): boolean => ruleNamed(id) !== undefined,
  lint: (id: string): boolean => lintRuleNamed(id) !== undefined,
};

/** One file serves both commands: each uses the entries for its own rules. */
export async function readExceptions(
  file: string | undefined,
  command: keyof typeof IS_RULE,
): Promise<Omit<ParsedExceptions, 'problems'>> {
  if (file === undefined) return { exceptions: [], openEnums: [] };
  const { exceptions, openEnums, problems } = parseExceptions(
    await readYaml(file),
    (id) => IS_RULE.check(id) || IS_RULE.lint(id),
  );
  if (problems.length > 0) throw new CommandFailure(`${file}: ${problems.join('; ')}`);
  return { exceptions: exceptions.filter(({ rule }) => IS_RULE[command](rule)), openEnums };
}

export async function readBaseline(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const value = await readYaml(file);
  const list = isJsonObject(value) ? value['findings'] : undefined;
  if (!Array.isArray(list))
    throw new CommandFailure(`${file}: findings: must be a list, as --write-baseline writes it`, 2);
  return list.map(String);
}

async function readYaml(file: string) {
  const text = await readOneFile(file);
  try {
    return parseYaml(text).value;
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`, 2);
  }
}
