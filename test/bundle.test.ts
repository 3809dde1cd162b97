// How the chunks of the bundle are loaded: with and without the code that was cached when they were built.
import { execFileSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@instar/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

interface Chunks {
  readonly CODE: string;
  load(name: string): Record<string, unknown>;
  compile(name: string): { cachedDataRejected: boolean };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const chunksOf = (directory: string, name = 'chunks.js'): Chunks => require(join(directory, name)) as Chunks;

describe('the chunks of a bundle', () => {
  let directory: string;
  beforeEach(async () => {
    directory = temporaryFolder(onTestFinished);
    await copyFile(join(root, 'scripts/bundle/chunks.cjs'), join(directory, 'chunks.js'));
    await write('package.json', '{"type":"commonjs"}');
    // These texts are unique; otherwise V8 would reuse the code of another one.
    await write(
      'sum.js',
      `"use strict";exports.sum = require("./one.js").one + require("node:path").sep.length; // ${directory}`,
    );
    await write('one.js', '"use strict";exports.one = 1;');
  });
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content);

  it('are loaded once each without cached code', () => {
    const chunks = chunksOf(directory);
    expect(chunks.load('./sum.js')).toEqual({ sum: 2 });
    expect(chunks.load('./sum.js')).toBe(chunks.load('./sum.js'));
  });

  it('import modules that the user names, without cached code', async () => {
    await write('named.mjs', 'export const name = "named";');
    await write('user.js', 'exports.named = (file) => import(file);');
    const { named } = chunksOf(directory).load('./user.js') as {
      named: (file: string) => Promise<{ name: string }>;
    };
    expect((await named('./named.mjs')).name).toBe('named');
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is no code at all', Buffer.alloc(4096, 'x')],
  ])('are compiled if the cached code %s', async (_, kept) => {
    const chunks = chunksOf(directory);
    await write(`sum.js${chunks.CODE}`, kept);
    expect(chunks.compile('./sum.js').cachedDataRejected).toBe(true);
    expect(chunks.load('./sum.js')).toEqual({ sum: 2 });
  });
});

it('the cached code is only for this architecture, which V8 does not check', () => {
  expect(chunksOf(join(root, 'scripts/bundle'), 'chunks.cjs').CODE).toContain(process.arch);
});

it('the bundle has cached code that this version of Node accepts', () => {
  const verdicts = execFileSync(process.execPath, ['-e', VERDICTS], {
    cwd: join(root, 'packages/cli/bundle'),
    encoding: 'utf8',
  });
  expect(new Set(JSON.parse(verdicts))).toEqual(new Set([false]));
});

const VERDICTS = `
  const { CODE, compile } = require('./chunks.js');
  const names = fs.readdirSync('.').filter((file) => file.endsWith(CODE)).map((file) => './' + file.slice(0, -CODE.length));
  console.log(JSON.stringify(names.map((name) => compile(name).cachedDataRejected)));
`;
