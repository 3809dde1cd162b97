// Starts the bundled server once, on temporary data, and caches the code that V8 has compiled of every chunk when the server is ready.
// Code that a start does not run is not compiled, so it takes up neither these files nor memory.
// Usage: node keep-code.cjs BUNDLE-DIRECTORY
'use strict';
const { mkdtempSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const bundle = resolve(process.argv[2]);
const { CODE, compile, load, scripts } = require(join(bundle, 'chunks.js'));
const dataDir = mkdtempSync(join(tmpdir(), 'instar-build-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));

process.stdout.write = (text) => {
  if (!text.startsWith('ready ')) return true;
  for (const file of readdirSync(bundle)) if (file.endsWith(CODE)) keep(`./${file.slice(0, -CODE.length)}`);
  process.exit(0);
};
process.argv = [process.execPath, join(bundle, 'main.js'), 'serve', '--data-dir', dataDir, '--port', '0'];
load('./program.js');

function keep(name) {
  const script = scripts.get(name) ?? compile(name);
  writeFileSync(join(bundle, name + CODE), script.createCachedData());
}
