// Puts the command into a few files: loading several hundred modules one by one takes longer than starting the server.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}packages/cli/bundle`;
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [`${root}packages/cli/dist/main.js`],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Less to read at every start; names stay, so that stacks can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // Native code stays where npm has put it.
  external: ['lmdb'],
  // Some dependencies are CommonJS and call require.
  banner: { js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
});
