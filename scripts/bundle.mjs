// Bundles the command into a few files: loading several hundred modules takes longer than starting the
// server. The code that V8 compiles during a start is cached beside them: see
// docs/decisions/0003-one-bundle.md.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import chunkLoader from './bundle/chunks.cjs';

const { CODE } = chunkLoader;
const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'packages/cli/bundle');
// Built in a temporary directory and moved as a whole, so that code is never cached from chunks of another
// build.
const outdir = join(root, `packages/cli/dist/bundle-${process.pid}`);
const part = (name) => fileURLToPath(new URL(`bundle/${name}`, import.meta.url));
const common = {
  platform: 'node',
  target: 'node20',
  // Smaller files load faster; names are kept, so that stack traces are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};

const { outputFiles, metafile } = await build({
  ...common,
  entryPoints: {
    program: join(root, 'packages/cli/dist/main.js'),
    // Started as a thread by a chunk that lies beside it.
    'yaml-worker': join(root, 'packages/server/dist/wire/yaml-worker.js'),
  },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  // Native modules stay where npm has installed them.
  external: ['lmdb'],
  write: false,
  metafile: true,
  absWorkingDir: root,
});
const chunks = await Promise.all(
  outputFiles.map(async ({ path, text }) => [path, await asCommonJs(path, text)]),
);
mkdirSync(outdir);
for (const [path, text] of chunks) {
  writeFileSync(path, text);
  // Filled below.
  if (!mayImportUserModules(text)) writeFileSync(path + CODE, '');
}
writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
copyFileSync(part('chunks.cjs'), join(outdir, 'chunks.js'));
copyFileSync(part('main.cjs'), join(outdir, 'main.js'));
chmodSync(join(outdir, 'main.js'), 0o755);

const { status } = spawnSync(process.execPath, [part('keep-code.cjs'), outdir], {
  stdio: ['ignore', 2, 2],
  timeout: 60_000,
});
if (status !== 0)
  process.stderr.write(
    'warning: the bundled server could not be started, so no compiled code is cached: it will start more slowly\n',
  );
rmSync(bundle, { recursive: true, force: true });
renameSync(outdir, bundle);

/** V8's compiled code can be cached for scripts but not for ES modules. */
async function asCommonJs(path, text) {
  const { code } = await transform(withOwnImports(path, text), {
    ...common,
    format: 'cjs',
    define: { 'import.meta.url': 'module.url' },
  });
  return `"use strict";${code}`;
}

/** Chunks are loaded by bundle/chunks.cjs even if they are imported dynamically. */
function withOwnImports(path, text) {
  const { imports } = metafile.outputs[relative(root, path)];
  const names = imports
    .filter(({ kind, external }) => kind === 'dynamic-import' && !external)
    .map((chunk) => basename(chunk.path));
  return names.reduce(
    (result, name) =>
      result.replaceAll(`import("./${name}")`, `Promise.resolve().then(()=>require("./${name}"))`),
    text,
  );
}

/**
 * Whether a chunk may import modules that the user names. The word in a string counts too, which only costs
 * time.
 */
function mayImportUserModules(text) {
  return /\bimport\(/.test(text);
}
