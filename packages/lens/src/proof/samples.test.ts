import type { JsonObject, KubeObject } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { type ConvertFunction, checkSamples, type ProofVersion, prove } from './index.ts';

const version = (name: string, field: string): ProofVersion => {
  const properties: Record<string, JSONSchemaProps> = {
    [field]: { type: 'integer', default: 1 },
    notes: { type: 'object', additionalProperties: { type: 'string' } },
  };
  const schema = compileSchema({ type: 'object', properties: { spec: { type: 'object', properties } } });
  return { name, apiVersion: `example.com/${name}`, kind: 'Thing', namespaced: true, schema };
};
const VERSIONS = [version('v1', 'size'), version('v2', 'replicas')];

/** Renames, and leaves out empty notes, as a Go struct would. */
const renaming: ConvertFunction = (objects, apiVersion) => ({
  objects: objects.map((object) => {
    const { size, replicas, notes, ...rest } = (object['spec'] ?? {}) as JsonObject;
    const number = size ?? replicas;
    const spec = {
      ...rest,
      ...(number !== undefined && { [apiVersion.endsWith('v1') ? 'size' : 'replicas']: number }),
      ...(notes !== undefined && Object.keys(notes as JsonObject).length > 0 && { notes }),
    };
    return { ...object, apiVersion, ...(object['spec'] !== undefined && { spec }) } as unknown as JsonObject;
  }),
});

const sample = (name: string, spec: JsonObject): KubeObject => ({
  apiVersion: `example.com/${name}`,
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
});

describe('checkSamples', () => {
  it('finds samples that agree, defaults included', async () => {
    const objects = [sample('v1', { size: 1 }), sample('v2', {})];
    const reports = await checkSamples(renaming, VERSIONS, [{ name: 'small', objects }]);
    expect(reports).toEqual([
      { name: 'small', from: 'v1', to: 'v2', differences: [] },
      { name: 'small', from: 'v2', to: 'v1', differences: [] },
    ]);
  });

  it('shows where they do not', async () => {
    const reports = await checkSamples(renaming, VERSIONS, [
      { name: 'x', objects: [sample('v1', { size: 2 }), sample('v2', { replicas: 3 })] },
    ]);
    expect(reports.map(({ differences }) => differences)).toEqual([
      [{ place: ['spec', 'replicas'], path: 'spec.replicas', expected: 3, got: 2 }],
      [{ place: ['spec', 'size'], path: 'spec.size', expected: 2, got: 3 }],
    ]);
  });

  it('says what is wrong with a sample itself', async () => {
    const objects = [sample('v1', { size: 'two', color: 'red' }), sample('v2', {})];
    const [invalid] = await checkSamples(renaming, VERSIONS, [{ name: 'x', objects }]);
    expect(invalid!.failure).toMatch(
      /^the sample in v1 is not valid: spec.color: unknown field; spec.size: Invalid value: "string"/,
    );
  });

  it('says why a sample does not convert', async () => {
    const [refused] = await checkSamples(() => ({ failure: 'not today' }), VERSIONS, [
      { name: 'x', objects: [sample('v1', {}), sample('v2', {})] },
    ]);
    expect(refused!.failure).toBe('the conversion failed: not today');
  });
});

it('empty maps may count as absent', async () => {
  const strict = await prove(renaming, VERSIONS, { runs: 200, seed: 4 });
  expect(strict.failures.map(({ violation }) => violation.differences[0]?.path)).toContain('spec.notes');
  expect((await prove(renaming, VERSIONS, { runs: 200, seed: 4, ignoreEmpty: true })).failures).toEqual([]);
});

it('versions without valid objects are reported, not skipped', async () => {
  const never: JSONSchemaProps = {
    type: 'object',
    required: ['spec'],
    properties: { spec: { type: 'string', minLength: 3, maxLength: 2 } },
  };
  const report = await prove(renaming, [VERSIONS[0]!, { ...VERSIONS[1]!, schema: compileSchema(never) }], {
    runs: 5,
    seed: 1,
  });
  expect(report.directions[1]!.generationFailure).toMatch(
    /^no valid Thing of example.com\/v2 could be made: spec: /,
  );
});
