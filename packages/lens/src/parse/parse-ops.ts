// Compiles a list of operations of the document.
import {
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import type { Op } from '../op/op.ts';
import type { OpList } from '../op/op-list.ts';
import { OP_KINDS } from '../ops/index.ts';
import { type OpContext, OpReader, type OpScope } from '../reader/op-reader.ts';

const MAX_DEPTH = 32;
const MAX_OPS = 1000;

export function parseOps(value: JsonValue | undefined, at: FieldPath, context: OpContext): OpList {
  const { errors, depth } = context;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    errors.push(fieldErrors.typeInvalid(at, value, 'must be a list of operations'));
    return [];
  }
  if (depth > MAX_DEPTH)
    errors.push(
      fieldErrors.invalid(at, undefined, `operations must not be nested more than ${MAX_DEPTH} deep`),
    );
  if (value.length > MAX_OPS) errors.push(fieldErrors.tooMany(at, value.length, MAX_OPS));
  if (depth > MAX_DEPTH || value.length > MAX_OPS) return [];
  const scope: OpScope = { ...context, keys: new Map(), parseOps };
  return value.flatMap((item, index) => parseOp(item, at.index(index), scope) ?? []);
}

function parseOp(item: JsonValue, at: FieldPath, scope: OpScope): Op | readonly Op[] | undefined {
  const named = isJsonObject(item) ? operationName(item) : undefined;
  if (named === undefined) {
    scope.errors.push(
      fieldErrors.invalid(
        at,
        item,
        'must be one operation: an object with one key, such as { rename: { from, to } }',
      ),
    );
    return undefined;
  }
  const kind = OP_KINDS.get(named);
  if (kind === undefined) {
    scope.errors.push(fieldErrors.notSupported(at, named, [...OP_KINDS.keys()]));
    return undefined;
  }
  const spec = (item as JsonObject)[named]!;
  if (isJsonObject(spec)) return kind.parse(new OpReader(named, spec, at.child(named), scope));
  scope.errors.push(fieldErrors.typeInvalid(at.child(named), spec, 'must be an object'));
  return undefined;
}

/** The key that is not the note, if there is exactly one. */
function operationName(item: JsonObject): string | undefined {
  const names = Object.keys(item).filter((key) => key !== 'note');
  return names.length === 1 ? names[0] : undefined;
}
