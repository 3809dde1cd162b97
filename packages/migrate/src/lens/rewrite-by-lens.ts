// Reads one object with all its fields, converts it to the other form by a lens, and writes it back:
// migration without a conversion webhook, as the guidelines describe it. A concurrent write is not
// overwritten: the object is read and judged again.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { ApiError, type KubeObject, type ObjectMeta } from '@instar/machinery';
import { MANAGER, objectRef } from '../definition/definition.ts';
import type { MigrationOutcome } from '../run/outcome.ts';
import { isTransient } from '../run/rewrite-object.ts';
import { convertByFields, type FieldLens } from './form-by-fields.ts';

export interface ByLensContext {
  readonly api: KubeApi;
  readonly crd: CustomResourceDefinition;
  readonly lens: FieldLens;
  readonly from: string;
  readonly to: string;
  /** The version through which objects are read and written. */
  readonly through: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

const MAX_RACES = 20;

export async function rewriteByLens(
  context: ByLensContext,
  { namespace, name }: ObjectMeta,
): Promise<MigrationOutcome> {
  const { api, crd, through, signal } = context;
  const ref = objectRef(crd, through, namespace, name!);
  try {
    for (let race = 0; race < MAX_RACES; race++) {
      const outcome = await rewriteOnce(context, ref, await api.get(ref, { signal }));
      if (outcome !== undefined) return outcome;
    }
    return { kind: 'failed', reason: 'it changes faster than it can be read and written' };
  } catch (error) {
    if (!(error instanceof ApiError) || isTransient(error)) throw error;
    return error.code === 404 ? { kind: 'gone' } : { kind: 'failed', reason: error.message };
  }
}

/** Undefined: a concurrent write won. */
async function rewriteOnce(
  context: ByLensContext,
  ref: ReturnType<typeof objectRef>,
  object: KubeObject,
): Promise<MigrationOutcome | undefined> {
  const { api, lens, from, to, dryRun, signal } = context;
  const judged = convertByFields(lens, object, from, to);
  if (judged.kind === 'unchanged') return { kind: 'current' };
  if (judged.kind === 'unclear') return { kind: 'failed', reason: judged.reason };
  try {
    await api.replace(
      ref,
      { ...judged.object, apiVersion: object.apiVersion },
      { fieldManager: MANAGER, dryRun, signal },
    );
    return { kind: 'rewritten', from };
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return undefined;
    throw error;
  }
}
