// Loads the chunks of the bundle, which are CommonJS modules. scripts/bundle.mjs copies this file beside them.
//
// Node can do that too, but compiles every chunk at every start. Here the code that was compiled when the bundle was built is read from the
// file whose name ends in `.code`. If V8 refuses it, because Node's version or flags differ, the chunk is compiled as usual. V8 does not check
// the architecture, so the file name contains it. Nothing is written here.
'use strict';
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const CODE = `.${process.arch}.code`;
const modules = new Map();
/** The scripts compiled so far, by name: scripts/bundle/keep-code.cjs caches their code. */
const scripts = new Map();

/** The exports of a chunk, or of a module outside the bundle. */
function load(name) {
  if (!name.startsWith('./')) return require(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const chunk = new Module(join(__dirname, name), module);
  modules.set(name, chunk);
  chunk.require = load;
  // What import.meta.url is in the source.
  chunk.url = pathToFileURL(chunk.id).href;
  run(name, chunk);
  return chunk.exports;
}

function run(name, chunk) {
  const code = cachedCode(name);
  // Chunks without cached code are compiled by Node: they import modules that the user names, which scripts cannot.
  if (code === undefined) chunk._compile(readFileSync(chunk.id, 'utf8'), chunk.id);
  else compile(name, code).runInThisContext()(chunk.exports, load, chunk);
}

function compile(name, code = cachedCode(name)) {
  const text = readFileSync(join(__dirname, name), 'utf8');
  // Cached code contains the file name from when it was compiled, so that must not depend on where the bundle is installed.
  const script = new Script(Module.wrap(text), { filename: `instar/${basename(name)}`, cachedData: code });
  scripts.set(name, script);
  return script;
}

function cachedCode(name) {
  try {
    return readFileSync(join(__dirname, name + CODE));
  } catch {
    return undefined;
  }
}

module.exports = { CODE, compile, load, scripts };
