import type { CustomResourceDefinition } from '@instar/crd';
import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, settingsOf, settingsWarnings } from './settings.ts';

const withAnnotations = (settings: Record<string, string>) => {
  const annotations = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`conversion.instar.dev/${name}`, value]),
  );
  return {
    metadata: { name: 'x', annotations: { ...annotations, 'example.com/batch-size': 'x' } },
  } as unknown as CustomResourceDefinition;
};

it('annotations that are valid are used, others cause a warning', () => {
  const good = withAnnotations({
    'batch-size': '7',
    concurrency: '16',
    'timeout-seconds': '1',
    retries: '0',
  });
  expect(settingsOf(good)).toMatchObject({ batchObjects: 7, concurrency: 16, timeoutMs: 1000, retries: 0 });
  expect(settingsWarnings(good)).toEqual([]);
  const wrong = withAnnotations({
    'batch-size': 'many',
    concurrency: '17',
    'timeout-seconds': '0',
    retries: '1.5',
    constructor: '1',
  });
  expect(settingsOf(wrong)).toEqual(DEFAULT_SETTINGS);
  expect(settingsWarnings(wrong)).toEqual([
    'metadata.annotations[conversion.instar.dev/batch-size]: "many" is not a whole number from 1 to 10000; the default, 250, is used',
    'metadata.annotations[conversion.instar.dev/concurrency]: "17" is not a whole number from 1 to 16; the default, 4, is used',
    'metadata.annotations[conversion.instar.dev/constructor]: unknown, and has no effect; known are batch-size, concurrency, timeout-seconds, retries',
    'metadata.annotations[conversion.instar.dev/retries]: "1.5" is not a whole number from 0 to 10; the default, 1, is used',
    'metadata.annotations[conversion.instar.dev/timeout-seconds]: "0" is not a whole number from 1 to 300; the default, 30, is used',
  ]);
});

it('a warning is not repeated for what was wrong before', () => {
  const old = withAnnotations({ retries: 'few' });
  expect(settingsWarnings(withAnnotations({ retries: 'few' }), old)).toEqual([]);
  expect(settingsWarnings(withAnnotations({ retries: 'a\nfew' }), old)).toEqual([
    expect.stringContaining(': "a\\nfew" is no'),
  ]);
});
