// JSON Patch (RFC 6902) as kube-apiserver's library applies it, with its deviations: `replace` adds a missing
// member, negative indexes count from the end, anything before the first slash of a path is ignored, and the
// document as a whole can only be tested.

import { quoteGo, utf8Length } from '@instar/go';
import { deepCopy, memberOf, setMember } from '../deep-copy.ts';
import { deepEqual } from '../deep-equal.ts';
import { encodeJson } from '../json/encode.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { PatchError, PatchTestError } from './patch-error.ts';

/** An operation of a JSON Patch as the client sent it. */
export interface JsonPatchOperation {
  op?: string;
  path?: string;
  from?: string;
  value?: JsonValue;
}

/** Copies must not make the document grow by more than the limit of a request body. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

type Container = JsonObject | JsonValue[];
type Target = { readonly container: Container; readonly key: string };

/** Neither argument is changed. Throws PatchError. */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  const copy = deepCopy(document);
  if (!isContainer(copy)) throw new PatchError('unknown object type');
  const patcher = new Patcher(copy);
  for (const operation of operations) patcher.apply(operation);
  return patcher.document;
}

class Patcher {
  document: Container;
  private copiedBytes = 0;

  constructor(document: Container) {
    this.document = document;
  }

  apply(operation: JsonPatchOperation): void {
    const kind = typeof operation.op === 'string' ? operation.op : 'unknown';
    if (kind === 'add') this.add(operation);
    else if (kind === 'remove') this.remove(operation);
    else if (kind === 'replace') this.replace(operation);
    else if (kind === 'move') this.move(operation);
    else if (kind === 'test') this.test(operation);
    else if (kind === 'copy') this.copy(operation);
    else throw new PatchError(`Unexpected kind: ${kind}`);
  }

  private add(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'add operation failed to decode path');
    const target =
      this.find(path) ?? missing(`add operation does not apply: doc is missing path: ${quoteGo(path)}`);
    within(`error in add for path: '${path}'`, () => insert(target, deepCopy(operation.value ?? null)));
  }

  private remove(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'remove operation failed to decode path');
    const target =
      this.find(path) ?? missing(`remove operation does not apply: doc is missing path: ${quoteGo(path)}`);
    within(`error in remove for path: '${path}'`, () => cut(target));
  }

  private replace(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'replace operation failed to decode path: operation missing path field');
    if (path === '') {
      this.replaceDocument(operation.value ?? null);
      return;
    }
    const { container, key } =
      this.find(path) ?? missing(`replace operation does not apply: doc is missing path: ${path}`);
    const value = deepCopy(operation.value ?? null);
    if (!Array.isArray(container)) {
      setMember(container, key, value);
      return;
    }
    const index = existingIndex(container, key);
    container[index ?? missing(`replace operation does not apply: doc is missing key: ${path}`)] = value;
  }

  /** As upstream's library: the whole may be replaced, but neither added nor removed. */
  private replaceDocument(value: JsonValue): void {
    const copy = deepCopy(value);
    if (!isContainer(copy))
      throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
    this.document = copy;
  }

  private move(operation: JsonPatchOperation): void {
    const from = fromOf(operation, 'move operation failed to decode from');
    const source =
      this.find(from) ?? missing(`move operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const found = read(source);
      cut(source);
      return found;
    });
    const path = pathOf(operation, 'move operation failed to decode path');
    const target =
      this.find(path) ?? missing(`move operation does not apply: doc is missing destination path: ${path}`);
    within(`error in move for path: '${path}'`, () => insert(target, value ?? null));
  }

  private test(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'test operation failed to decode path');
    const expected = operation.value ?? null;
    const target =
      path === ''
        ? undefined
        : (this.find(path) ?? missing(`test operation does not apply: is missing path: ${path}`));
    const actual =
      target === undefined ? this.document : within(`error in test for path: '${path}'`, () => read(target));
    if (!deepEqual(actual ?? null, expected))
      throw new PatchTestError(`testing value ${path} failed: test failed`);
  }

  private copy(operation: JsonPatchOperation): void {
    const from = fromOf(operation, 'copy operation failed to decode from');
    const source =
      this.find(from) ?? missing(`copy operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in copy for from: '${from}'`, () => read(source)) ?? null;
    const path = pathOf(operation, 'copy operation failed to decode path');
    const target =
      this.find(path) ?? missing(`copy operation does not apply: doc is missing destination path: ${path}`);
    this.countCopied(value);
    within('error while adding value during copy', () => insert(target, deepCopy(value)));
  }

  private countCopied(value: JsonValue): void {
    this.copiedBytes += utf8Length(encodeJson(value));
    if (this.copiedBytes <= MAX_COPIED_BYTES) return;
    throw new PatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${this.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`,
    );
  }

  /** The target of the path; undefined if its parent does not exist. */
  private find(path: string): Target | undefined {
    const parts = path.split('/').slice(1).map(unescapePointer);
    const key = parts.pop();
    if (key === undefined) return undefined;
    let container: Container = this.document;
    for (const part of parts) {
      const next = step(container, part);
      if (next === undefined || next === null || !isContainer(next)) return undefined;
      container = next;
    }
    return { container, key };
  }
}

function step(container: Container, key: string): JsonValue | undefined {
  if (!Array.isArray(container)) return memberOf(container, key);
  const index = existingIndex(container, key);
  return index === undefined ? undefined : container[index];
}

function read({ container, key }: Target): JsonValue | undefined {
  return Array.isArray(container) ? container[indexIn(container.length, key)] : memberOf(container, key);
}

function insert({ container, key }: Target, value: JsonValue): void {
  if (!Array.isArray(container)) setMember(container, key, value);
  else if (key === '-') container.push(value);
  else
    container.splice(
      indexIn(container.length + 1, key, `value was not a proper array index: '${key}': `),
      0,
      value,
    );
}

function cut({ container, key }: Target): void {
  if (Array.isArray(container)) container.splice(indexIn(container.length, key), 1);
  else if (Object.hasOwn(container, key)) delete container[key];
  else missing(`Unable to remove nonexistent key: ${key}`);
}

/** Go's strconv.Atoi, and then an index below `length`; a negative one counts from the end. */
function indexIn(length: number, key: string, notAnIndex = ''): number {
  if (!/^[+-]?\d+$/.test(key))
    throw new PatchError(`${notAnIndex}strconv.Atoi: parsing ${quoteGo(key)}: invalid syntax`);
  const index = Number(key);
  if (index >= length || index < -length)
    throw new PatchError(`Unable to access invalid index: ${key}: invalid index referenced`);
  return index < 0 ? index + length : index;
}

function existingIndex(container: readonly JsonValue[], key: string): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined;
  const index = Number(key);
  return index >= container.length || index < -container.length
    ? undefined
    : index < 0
      ? index + container.length
      : index;
}

function isContainer(value: JsonValue): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

function unescapePointer(part: string): string {
  return part.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));
}

function pathOf({ path }: JsonPatchOperation, otherwise: string): string {
  if (typeof path !== 'string') missing(otherwise);
  return path;
}

function fromOf({ from }: JsonPatchOperation, otherwise: string): string {
  if (typeof from !== 'string') missing(`${otherwise}: operation missing from field`);
  return from;
}

function missing(what: string): never {
  throw new PatchError(`${what}: missing value`);
}

/** Prepends `context` to the message of a PatchError. */
function within<T>(context: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(`${context}: ${error.message}`);
    throw error;
  }
}
