// Validates existing objects against the new schema: how many fail, and where. What the old schema also
// refuses or drops is not reported.
import type { CustomResourceDefinition } from '@instar/crd';
import { deepCopy, type FieldError, fieldErrorMessage, type JsonObject } from '@instar/machinery';
import type { Finding } from '../finding.ts';
import { findingOf } from '../finding-of.ts';
import { objectsInvalid, objectsPruned } from '../rules/reported.ts';
import { type VersionSchema, versionSchema } from './version-schema.ts';

/** Which existing objects a change makes invalid. */
export interface ObjectsReport {
  /** The objects of the definition's kind. */
  readonly checked: number;
  /** Not valid by the new schema, and valid by the old one. */
  readonly invalid: number;
  /** Not valid by the old schema either. */
  readonly invalidBefore: number;
  /** Lose fields that the old schema keeps. */
  readonly pruned: number;
  /** Of a version that the new definition does not have. */
  readonly ofRemovedVersion: number;
  readonly findings: readonly Finding[];
}

/** Validates existing objects by the old and by the new definition. */
export function checkObjects(
  was: CustomResourceDefinition,
  is: CustomResourceDefinition,
  objects: Iterable<JsonObject>,
): ObjectsReport {
  const check = new ObjectsCheck(was, is);
  for (const object of objects) check.add(object);
  return check.report();
}

interface ProblemCount {
  readonly version: string;
  readonly path: string;
  readonly example: string;
  readonly names: string[];
  count: number;
}

class ObjectsCheck {
  readonly #is: CustomResourceDefinition;
  readonly #old: ReadonlyMap<string, VersionSchema>;
  readonly #new: ReadonlyMap<string, VersionSchema>;
  readonly #invalidAt = new Map<string, ProblemCount>();
  readonly #prunedAt = new Map<string, ProblemCount>();
  readonly #counts = { checked: 0, invalid: 0, invalidBefore: 0, pruned: 0, ofRemovedVersion: 0 };

  constructor(was: CustomResourceDefinition, is: CustomResourceDefinition) {
    this.#is = is;
    this.#old = schemasOf(was);
    this.#new = schemasOf(is);
  }

  add(object: JsonObject): void {
    const [old, next] = [this.#old, this.#new].map((schemas) => schemas.get(String(object['apiVersion'])));
    if (object['kind'] !== this.#is.spec.names.kind || (old ?? next) === undefined) return;
    this.#counts.checked++;
    if (next === undefined) this.#counts.ofRemovedVersion++;
    else this.#compare(object, old, next);
  }

  #compare(object: JsonObject, old: VersionSchema | undefined, next: VersionSchema): void {
    const before = old === undefined ? { errors: [], removed: [] } : outcome(object, old);
    const after = outcome(object, next);
    const lost = after.removed.filter((path) => !before.removed.includes(path));
    if (lost.length > 0) this.#counts.pruned++;
    for (const path of lost) note(this.#prunedAt, next.name, path, '', object);
    if (after.errors.length === 0) return;
    if (before.errors.length > 0) {
      this.#counts.invalidBefore++;
      return;
    }
    this.#counts.invalid++;
    for (const error of after.errors)
      note(this.#invalidAt, next.name, error.field, fieldErrorMessage(error), object);
  }

  report(): ObjectsReport {
    const { checked } = this.#counts;
    const findings = [
      ...[...this.#invalidAt.values()].map((problem) =>
        this.#finding(objectsInvalid, problem, `${problem.count} of ${checked} objects are not valid here`),
      ),
      ...[...this.#prunedAt.values()].map((problem) =>
        this.#finding(
          objectsPruned,
          problem,
          `${problem.count} of ${checked} objects have a field here that is pruned`,
        ),
      ),
    ];
    return { ...this.#counts, findings };
  }

  #finding(
    rule: typeof objectsInvalid,
    { version, path, example, names, count }: ProblemCount,
    message: string,
  ): Finding {
    const others = count > names.length ? ` and ${count - names.length} more` : '';
    const evidence = [
      ...(example === '' ? [] : [{ text: example }]),
      { text: `${names.join(', ')}${others}` },
    ];
    return findingOf(rule, { severity: 'breaking', message, evidence }, this.#is, 'objects', {
      version,
      path,
    });
  }
}

function schemasOf(crd: CustomResourceDefinition): Map<string, VersionSchema> {
  const schemas = crd.spec.versions.flatMap((version) => versionSchema(crd, version) ?? []);
  return new Map(schemas.map((schema) => [schema.apiVersion, schema]));
}

function outcome(object: JsonObject, { schema }: VersionSchema): { errors: FieldError[]; removed: string[] } {
  const copy = deepCopy(object) as JsonObject;
  const removed = schema.prune(copy);
  schema.applyDefaults(copy);
  return { errors: schema.validate(copy), removed };
}

const MAX_NAMES = 5;

/** All items of a list count as one path. */
function note(
  problems: Map<string, ProblemCount>,
  version: string,
  field: string,
  example: string,
  object: JsonObject,
): void {
  const path = field.replace(/\[\d+\]/g, '[*]');
  const key = `${version} ${path} ${example.replace(/"[^"]*"|\d+/g, '')}`;
  const problem = problems.get(key) ?? { version, path, example, names: [], count: 0 };
  problem.count++;
  if (problem.names.length < MAX_NAMES) problem.names.push(namespacedName(object));
  problems.set(key, problem);
}

function namespacedName({ metadata }: JsonObject): string {
  const { namespace, name } = (metadata ?? {}) as { namespace?: string; name?: string };
  return [namespace, name].filter((part) => part !== undefined).join('/');
}
