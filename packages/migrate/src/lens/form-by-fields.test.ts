import { parseLens } from '@instar/lens';
import type { KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { convertByFields, type FieldLens } from './form-by-fields.ts';

/** The guidelines' own example: BackendTLSPolicy.TLS becomes BackendTLSPolicy.Validation. */
function renaming(): FieldLens {
  const { lens, errors } = parseLens({
    apiVersion: 'instar.dev/v1alpha1',
    kind: 'Lens',
    metadata: { name: 'validation' },
    spec: {
      crd: 'backendtlspolicies.gateway.example.com',
      lenses: [
        { from: 'v1alpha2', to: 'v1alpha3', ops: [{ rename: { from: 'spec.tls', to: 'spec.validation' } }] },
      ],
    },
  });
  if (lens === undefined) throw new Error(JSON.stringify(errors));
  return lens;
}

const policy = (spec: object): KubeObject => ({
  apiVersion: 'gateway.example.com/v1alpha3',
  kind: 'BackendTLSPolicy',
  metadata: { name: 'a' },
  spec,
});

const forward = (spec: object) => convertByFields(renaming(), policy(spec), 'v1alpha2', 'v1alpha3');
const back = (spec: object) => convertByFields(renaming(), policy(spec), 'v1alpha3', 'v1alpha2');

describe('a conversion that judges by fields alone', () => {
  it('converts what has the old form, whatever apiVersion it carries', () => {
    expect(forward({ tls: { host: 'x' }, other: 1 })).toMatchObject({
      kind: 'converted',
      object: { spec: { validation: { host: 'x' }, other: 1 } },
    });
  });

  it('leaves what has the new form unchanged', () => {
    expect(forward({ validation: { host: 'x' } })).toEqual({ kind: 'unchanged' });
  });

  it('leaves what has none of the fields unchanged', () => {
    expect(forward({ other: 1 })).toEqual({ kind: 'unchanged' });
  });

  it('converts back in the same way', () => {
    expect(back({ validation: { host: 'x' } })).toMatchObject({
      kind: 'converted',
      object: { spec: { tls: { host: 'x' } } },
    });
    expect(back({ tls: { host: 'x' } })).toEqual({ kind: 'unchanged' });
  });

  it('reports what has fields of both forms as unclear', () => {
    expect(forward({ tls: { host: 'x' }, validation: { host: 'y' } }).kind).toBe('unclear');
  });
});
