// The thread that parses long YAML, as it is built: in the packages and in the bundle.
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const BUILT = ['packages/server/dist/wire/yaml-worker.js', 'packages/cli/bundle/yaml-worker.js'];

it.each(BUILT)('%s answers with JSON, or with the reason why it is not YAML', async (file) => {
  const worker = new Worker(new URL(`../../${file}`, import.meta.url));
  const answerTo = (id: number, yaml: string) =>
    new Promise<{ json?: Uint8Array; message?: string }>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage({ id, text: new TextEncoder().encode(yaml) });
    });
  const { json } = await answerTo(1, 'a: [1, x]\n');
  expect(new TextDecoder().decode(json)).toBe('{"a":[1,"x"]}');
  expect(await answerTo(2, 'a: [')).toMatchObject({
    id: 2,
    isFault: true,
    message: expect.stringMatching(/^yaml: /),
  });
  await worker.terminate();
});
