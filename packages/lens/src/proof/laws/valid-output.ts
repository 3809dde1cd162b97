// The result is valid by the schema of its version, and has no fields that the server would silently drop.
import { deepCopy, fieldErrorMessage, type JsonObject } from '@instar/machinery';
import type { Difference } from '../difference.ts';
import { faultsOf } from '../generate/repair.ts';
import { placeOf, valueAt } from '../generate/value-path.ts';
import { broken, HELD, type Law, UNASKED, type Violation } from '../law.ts';
import type { ProofVersion } from '../subject.ts';

export const validOutput: Law = {
  name: 'valid-output',
  title: 'the result is valid in its version',
  async check(trial) {
    const forward = await trial.forward();
    if ('failure' in forward) return UNASKED;
    for (const [index, object] of forward.objects.entries()) {
      const fault = faultOf(object, trial.settings.to);
      if (fault !== undefined)
        return broken({ index, ...fault, shown: [{ title: `in ${trial.settings.to.name}`, object }] });
    }
    return HELD(forward.objects.length);
  },
};

function faultOf(object: JsonObject, { schema, name }: ProofVersion): Omit<Violation, 'index'> | undefined {
  const copy = deepCopy(object);
  const unknown = schema.prune(copy);
  if (unknown.length > 0) {
    const message = `fields that ${name} does not have, which the server drops: ${unknown.join(', ')}`;
    return { message, differences: unknown.map((path) => unexpected(object, path)) };
  }
  schema.applyDefaults(copy);
  const errors = faultsOf(copy, schema);
  return errors.length === 0
    ? undefined
    : { message: errors.map(fieldErrorMessage).join('; '), differences: [] };
}

function unexpected(object: JsonObject, path: string): Difference {
  const place = placeOf(object, path);
  const got = valueAt(object, place);
  return { place, path, ...(got !== undefined && { got }) };
}
