// Loads the chunks of the bundle, which are CommonJS modules. scripts/bundle.mjs copies this file beside them.
//
// Node can do that too, but compiles every chunk at every start. Here what was compiled when the bundle was made is taken from the file with
// `.code` at the end of its name. It is only ever a shortcut: where V8 refuses it, because Node's version or flags differ, the chunk is
// compiled as usual. V8 does not look at the architecture, so that is in the name. Nothing is written here.
'use strict';
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, join } = require('node:path');
const { Script } = require('node:vm');

const CODE = `.${process.arch}.code`;
const modules = new Map();
/** What was compiled so far, by name: scripts/bundle/keep-code.cjs keeps it. */
const scripts = new Map();

/** The exports of a chunk, or of a module outside the bundle. */
function load(name) {
  if (!name.startsWith('./')) return require(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const chunk = new Module(join(__dirname, name), module);
  modules.set(name, chunk);
  chunk.require = load;
  run(name, chunk);
  return chunk.exports;
}

function run(name, chunk) {
  const code = keptCode(name);
  // Node compiles what has no code to it: a chunk that imports what the user names, which scripts cannot do.
  if (code === undefined) chunk._compile(readFileSync(chunk.id, 'utf8'), chunk.id);
  else compile(name, code).runInThisContext()(chunk.exports, load, chunk);
}

function compile(name, code = keptCode(name)) {
  const text = readFileSync(join(__dirname, name), 'utf8');
  // Kept code comes with the name that it was given when it was compiled, so that cannot be the place where the bundle happens to be.
  const script = new Script(Module.wrap(text), { filename: `instar/${basename(name)}`, cachedData: code });
  scripts.set(name, script);
  return script;
}

function keptCode(name) {
  try {
    return readFileSync(join(__dirname, name + CODE));
  } catch {
    return undefined;
  }
}

module.exports = { CODE, compile, load, scripts };
