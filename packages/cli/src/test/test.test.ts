// What `instar test` refuses to start with, and how it treats webhooks that answer badly.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { TestFlags } from './flags.ts';
import { loadDefinition } from './load-definition.ts';
import { loadSamples } from './load-samples.ts';
import { urlTarget } from './targets/url-target.ts';
import { test } from './test.ts';

const crd = fileURLToPath(new URL('../../../../test/e2e/proof/widgets.yaml', import.meta.url));
const FLAGS: TestFlags = { crd, reviewVersion: 'v1', timeout: 200, runs: 1, batch: 1, format: 'text' };

describe('instar test', () => {
  it.each<[Partial<TestFlags>, string]>([
    [{ crd: '/nowhere.yaml', lens: 'x' }, '/nowhere.yaml does not exist'],
    [{}, 'name what to test, with one of --lens FILE, --module FILE and --url URL'],
    [
      { lens: 'x', url: 'https://x' },
      'name what to test, with one of --lens FILE, --module FILE and --url URL',
    ],
    [{ url: 'ftp://x' }, 'ftp://x is not an http or https URL'],
    [{ url: 'https://127.0.0.1:1', law: ['murphy'] }, 'there is no law murphy; there are converts, order, '],
    [{ module: '/nowhere.mjs' }, '/nowhere.mjs does not exist'],
    [{ lens: crd }, `${crd} holds no Lens`],
    [
      { url: 'https://127.0.0.1:1', versions: ['v1'] },
      'has 1 version with a schema: there is nothing to convert',
    ],
    [{ url: 'https://127.0.0.1:1', versions: ['v1', 'v3'] }, 'has no version v3 with a schema'],
    [
      { url: 'https://127.0.0.1:1', name: 'gadgets.example.com' },
      'has no gadgets.example.com; it has widgets.example.com',
    ],
    [{ url: 'https://127.0.0.1:1', samples: '/nowhere' }, '/nowhere is not a folder with samples'],
  ])('refuses the flags %j', async (flags, message) => {
    await expect(test({ ...FLAGS, ...flags })).rejects.toMatchObject({
      name: 'CommandFailure',
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });

  it('finds no samples where there are none of the kind', async () => {
    const folder = fileURLToPath(new URL('../../../../test/e2e/proof', import.meta.url));
    await expect(loadSamples(folder, await loadDefinition(crd))).rejects.toThrow('has no samples of Widget');
  });
});

describe('a webhook behind a URL', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const listening = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/convert`;
  };
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { bar: 'x', big: 9007199254740993n },
  };
  const answerOf = async (listener: RequestListener, reviewVersion: 'v1' | 'v1beta1' = 'v1') => {
    const target = await urlTarget(await listening(listener), { reviewVersion, timeout: 200 });
    try {
      return await target.convert([widget], 'example.com/v2');
    } catch (error) {
      return { thrown: (error as Error).message };
    } finally {
      target.close();
    }
  };
  /** Answers with what `change` makes of the review's text. */
  const echoing =
    (change: (text: string) => string): RequestListener =>
    (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk)).on('end', () => response.end(change(text)));
    };
  const converted = (text: string): string => {
    const uid = /"uid":"([^"]+)"/.exec(text)![1]!;
    const objects = /"objects":(\[.*\])\},"response"/.exec(text)![1]!;
    const apiVersion = /"apiVersion":"(apiextensions[^"]+)"/.exec(text)![1]!;
    return `{"apiVersion":"${apiVersion}","kind":"ConversionReview","response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":${objects}}}`;
  };

  it.each(['v1', 'v1beta1'] as const)('gets and gives objects exactly, in reviews of %s', async (version) => {
    expect(await answerOf(echoing(converted), version)).toEqual({ objects: [widget] });
  });

  it.each<[string, RequestListener, string]>([
    [
      'says no',
      echoing((text) => converted(text).replace('"Success"', '"Failure","message":"not today"')),
      'not today',
    ],
    ['answers 500', (_, response) => response.writeHead(500).end('broken'), 'an error on the server'],
    ['answers nonsense', echoing(() => 'nonsense: ['), "couldn't get version/kind"],
    [
      'loses an object',
      echoing((text) => converted(text).replace(/"convertedObjects":.*$/, '"convertedObjects":[]}}')),
      'returned 0 objects, expected 1',
    ],
    [
      'answers another review',
      echoing((text) => converted(text).replace(/"uid":"[^"]+"/, '"uid":"other"')),
      'expected response.uid=',
    ],
  ])('that %s fails', async (_, listener, message) => {
    expect(await answerOf(listener)).toEqual({ failure: expect.stringContaining(message) });
  });

  it('that hangs is aborted', async () => {
    expect(await answerOf(() => undefined)).toEqual({ thrown: 'no answer within 200 ms' });
  });
});
