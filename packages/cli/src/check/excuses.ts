// The files of --exceptions and --baseline.
import { type Exception, parseExceptions, ruleNamed } from '@instar/compat';
import { isJsonObject, parseYaml } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { readFiles } from './sources/files.ts';

export async function readExceptions(file: string | undefined): Promise<readonly Exception[]> {
  if (file === undefined) return [];
  const { exceptions, problems } = parseExceptions(await readYaml(file), (id) => ruleNamed(id) !== undefined);
  if (problems.length > 0) throw new CommandFailure(`${file}: ${problems.join('; ')}`, 2);
  return exceptions;
}

export async function readBaseline(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const value = await readYaml(file);
  const list = isJsonObject(value) ? value['findings'] : undefined;
  if (!Array.isArray(list)) throw new CommandFailure(`${file}: findings: must be a list, as --write-baseline writes it`, 2);
  return list.map(String);
}

async function readYaml(file: string) {
  const [source] = await readFiles(file);
  try {
    return parseYaml(source!.text).value;
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`, 2);
  }
}
