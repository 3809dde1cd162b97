import { YamlError } from '@instar/machinery';
import { afterEach, describe, expect, it } from 'vitest';
import { YamlThread } from './yaml-thread.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const program = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`,
  );

describe('YAML in a thread', () => {
  let thread: YamlThread;
  afterEach(() => thread.end());

  const jsonOf = async (text: string) => {
    const { json, duplicates } = await thread.toJson(bytes(text));
    return [new TextDecoder().decode(json), duplicates];
  };

  it('comes back as JSON, each text with its own answer', async () => {
    // Answers in reverse.
    thread = new YamlThread(
      program(`const all = [];
        parentPort.on('message', (task) => {
          if (all.push(task) < 2) return;
          for (const { id, text } of all.reverse()) parentPort.postMessage({ id, json: text, duplicates: [] });
        });`),
    );
    expect(await Promise.all([jsonOf('1'), jsonOf('2')])).toEqual([
      ['1', []],
      ['2', []],
    ]);
  });

  it('that is not YAML is refused with the reason', async () => {
    thread = new YamlThread(
      program(`parentPort.on('message', ({ id }) =>
        parentPort.postMessage({ id, message: 'yaml: line 1: no', isFault: true }));`),
    );
    await expect(jsonOf('[')).rejects.toThrow(new YamlError('yaml: line 1: no'));
  });

  it('is parsed here if the thread cannot be started', async () => {
    thread = new YamlThread(new URL('file:///there/is/no/such/program.js'));
    expect(await jsonOf('a: 1\na: 9007199254740993\n')).toEqual([
      '{"a":9007199254740993}',
      ['line 2: key "a" already set in map'],
    ]);
    await expect(jsonOf('a: [')).rejects.toThrow(YamlError);
  });

  it('is parsed here if the thread ends, and by another thread after that', async () => {
    thread = new YamlThread(program(`parentPort.on('message', () => process.exit(1));`));
    expect(await jsonOf('a: 1')).toEqual(['{"a":1}', []]);
    expect(await jsonOf('a: 2')).toEqual(['{"a":2}', []]);
  });
});
