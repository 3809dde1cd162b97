// Lenses and objects for tests.
import type { JsonObject, KubeObject } from '@instar/machinery';
import type { CompiledLensSet } from '../compiled-lens-set.ts';
import type { LensOp, LensStep } from '../document.ts';
import { parseLens } from '../parse/parse-lens.ts';

export const documentOf = (lenses: unknown): JsonObject => ({
  apiVersion: 'instar.dev/v1alpha1',
  kind: 'Lens',
  metadata: { name: 'things.example.com' },
  spec: { crd: 'things.example.com', lenses: lenses as JsonObject[] },
});

export function setOf(...steps: LensStep[]): CompiledLensSet {
  const { lens, errors } = parseLens(documentOf(steps));
  if (lens === undefined) throw new Error(JSON.stringify(errors));
  return lens;
}

/** From v1 to v2. */
export const lensOf = (...ops: LensOp[]): CompiledLensSet => setOf({ from: 'v1', to: 'v2', ops });

export const thing = (version: string, spec: JsonObject): KubeObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

/** The same object with another spec, as a client that keeps the annotations would write it. */
export const withSpec = (object: KubeObject, spec: JsonObject): KubeObject => ({ ...object, spec });
