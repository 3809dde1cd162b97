// Runs `instar init`: asks, generates the files, writes them if none exists, and prints the next steps.
import { access, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectory } from '@instar/serving';
import { CommandFailure } from '../exit-with-message.ts';
import { answersOf, type InitFlags } from './answers.ts';
import { projectFiles } from './files/index.ts';
import { makeProject } from './make-project.ts';
import type { ProjectFile } from './project.ts';

export async function init(dir: string, flags: InitFlags): Promise<number> {
  const { project, notes } = await makeProject(await answersOf(flags), flags);
  const root = resolve(dir);
  const files = projectFiles(project);
  await refuseToOverwrite(root, files);
  for (const file of files) await write(root, file);
  const shown = relative(process.cwd(), root) || '.';
  const lines = [
    ...files.map(({ path }) => `  ${path}`),
    '',
    ...notes.map((note) => `note: ${note}`),
    `${project.name} is in ${shown}. Next:`,
    '',
    ...(shown === '.' ? [] : [`  cd ${shown}`]),
    '  npm install',
    '  npm test',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

async function refuseToOverwrite(root: string, files: readonly ProjectFile[]): Promise<void> {
  const present = await Promise.all(
    files.map(async ({ path }) => ((await exists(join(root, path))) ? path : undefined)),
  );
  const taken = present.filter((path) => path !== undefined);
  if (taken.length > 0)
    throw new CommandFailure(`nothing was written, since these exist: ${taken.join(', ')}`, 2);
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

async function write(root: string, { path, text }: ProjectFile): Promise<void> {
  const file = join(root, path);
  await makeDirectory(dirname(file), 0o777);
  // If it has been created in the meantime, it is left alone.
  await writeFile(file, text, { flag: 'wx' });
}
