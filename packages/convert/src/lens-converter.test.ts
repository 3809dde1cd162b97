import { parseLens } from '@instar/lens';
import type { KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { ConversionFailure } from './failure.ts';
import { LensConverter } from './lens-converter.ts';

const parsed = parseLens({
  apiVersion: 'instar.dev/v1alpha1',
  kind: 'Lens',
  metadata: { name: 'crontabs' },
  spec: {
    crd: 'crontabs.stable.example.com',
    lenses: [
      {
        from: 'v1',
        to: 'v2',
        ops: [{ split: { from: 'spec.hostPort', separator: ':', to: ['spec.host', 'spec.port'] } }],
      },
    ],
  },
});
if (parsed.errors !== undefined) throw new Error(JSON.stringify(parsed.errors));
const converter = new LensConverter(parsed.lens);

const cronTab = (version: string, spec: object): KubeObject => ({
  apiVersion: `stable.example.com/${version}`,
  kind: 'CronTab',
  metadata: { name: 'one', namespace: 'default' },
  spec,
});

describe('a lens converter', () => {
  it('converts in both directions', () => {
    const v1 = cronTab('v1', { hostPort: 'a:80', image: 'i' });
    const v2 = converter.convertNow(v1, 'stable.example.com/v2');
    expect(v2).toEqual(cronTab('v2', { host: 'a', port: '80', image: 'i' }));
    expect(converter.convertNow(v2, 'stable.example.com/v1')).toEqual(v1);
  });

  it('names the object and the version if an object cannot be converted', () => {
    const failure = failureOf(() =>
      converter.convertNow(cronTab('v1', { hostPort: 7 }), 'stable.example.com/v2'),
    );
    expect(failure.explain({ withUid: false })).toMatch(
      /^conversion lens crontabs for stable\.example\.com\/v1, Kind=CronTab failed: spec\.hostPort: .* \[converting default\/one, from v1 to v2\]$/,
    );
    expect(failureOf(() => converter.convertNow(cronTab('v1', {}), 'stable.example.com/v3')).kind).toBe(
      'unknown-version',
    );
  });
});

function failureOf(convert: () => unknown): ConversionFailure {
  try {
    convert();
  } catch (error) {
    if (error instanceof ConversionFailure) return error;
  }
  throw new Error('no failure');
}
