// Where the bundle of the running command is.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandFailure } from '../exit-with-message.ts';

/** The directory of main.js. npm starts it through bin/instar.js, which may be a link. */
export async function bundleDirectory(script = process.argv[1] ?? ''): Promise<string> {
  const started = await realpath(script).catch(() => script);
  if (basename(started) === 'main.js') return dirname(started);
  const bundle = join(dirname(started), '../bundle');
  await realpath(join(bundle, 'main.js')).catch(() => {
    throw new CommandFailure(`there is no bundle beside ${started}: run npm run build`);
  });
  return bundle;
}
