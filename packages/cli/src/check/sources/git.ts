// Texts from a revision of the git repository that the command runs in.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandFailure } from '../../exit-with-message.ts';
import { IS_READ } from './files.ts';
import type { SourceText } from './parse-source.ts';

/** Concurrent processes. */
const AT_ONCE = 8;
const MAX_BYTES = 256 * 1024 * 1024;
const run = promisify(execFile);

/** `path` is relative to the working directory. */
export async function readGit(revision: string, path: string, cwd = process.cwd()): Promise<SourceText[]> {
  const commit = (
    await git(cwd, ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])
  ).trim();
  const listed = (await git(cwd, ['ls-tree', '-r', '--name-only', '-z', commit, '--', path]))
    .split('\0')
    .filter((name) => name !== '');
  if (listed.length === 0) throw new CommandFailure(`there is no ${path} in ${revision}`, 2);
  const wanted = listed.length === 1 ? listed : listed.filter((name) => IS_READ.test(name));
  const texts: SourceText[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE);
    texts.push(
      ...(await Promise.all(
        some.map(async (name) => ({ file: name, text: await git(cwd, ['show', `${commit}:./${name}`]) })),
      )),
    );
  }
  return texts;
}

async function git(cwd: string, args: string[]): Promise<string> {
  try {
    return (await run('git', args, { cwd, maxBuffer: MAX_BYTES, encoding: 'utf8' })).stdout;
  } catch (error) {
    const { stderr, message, code } = error as Error & { stderr?: string; code?: string };
    throw new CommandFailure(
      code === 'ENOENT' ? 'git is not installed' : `git: ${(stderr || message).trim().split('\n')[0]}`,
      2,
    );
  }
}
